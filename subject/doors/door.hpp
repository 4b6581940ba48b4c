// A door: a way to call the subject. One file a kind, one registration each (doors/registry.cpp).
//
// open() once, prepare() whenever variables changed, call() as often as wanted. HTTP doors keep
// their connection alive between calls and open it anew when the subject closed it.
#pragma once

#include <memory>
#include <string>

#include "evidence/result.hpp"
#include "subject/enclosure.hpp"
#include "subject/specification.hpp"
#include "subject/variables.hpp"

namespace telltale::subject {

struct Answer {
  int status = 0;     // HTTP status, exit status; 0 for raw sockets and MCP results
  std::string body;   // what was received: body, result as JSON, stdout; at most kAnswerLimit bytes
  std::string error;  // MCP error, stderr of a command; empty when there was none
};

inline constexpr std::size_t kAnswerLimit = 16 * 1024 * 1024;

class Door {
 public:
  virtual ~Door() = default;
  // Renders the request with these variables; nothing is sent.
  [[nodiscard]] virtual Result<> prepare(const Variables& variables) = 0;
  // One exchange, at most `limit` long. Fault::subject when it is refused, cut or too late.
  [[nodiscard]] virtual Result<Answer> call(Milliseconds limit) = 0;
  // Pid of a program that this door itself started for the call (exec, stdio), else 0.
  [[nodiscard]] virtual pid_t helper() const { return 0; }
};

struct DoorContext {
  Enclosure& enclosure;
  // For exec and stdio doors: what the subject's own environment, folder and user are.
  Pairs environment;
  std::filesystem::path folder;
  std::string user;
};

[[nodiscard]] Result<std::unique_ptr<Door>> open_door(const Step& step, const DoorContext& context);

// Compares with what the step expects. The error quotes what came instead, shortened.
[[nodiscard]] Result<> meets(const Step& step, const Expectation& expanded, const Answer& answer);

// Sets every variable of step.capture from the answer's JSON.
[[nodiscard]] Result<> capture(const Step& step, const Answer& answer, Variables& variables);

}  // namespace telltale::subject
