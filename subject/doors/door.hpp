// A door: a way to call the subject. One file a kind, one registration each (doors/registry.cpp).
//
// open_door() once, prepare() whenever variables changed, call() as often as wanted. HTTP doors
// keep their connection alive between calls and open it anew when the subject closed it. A door is
// used by one thread at a time; only helper() may be asked by another.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "subject/enclosure.hpp"
#include "subject/specification.hpp"
#include "subject/variables.hpp"
#include "subject/wire/endpoint.hpp"

namespace telltale::subject {

// What a page asked for while it was open.
struct PageRequest {
  std::string method;  // "GET"; "WebSocket"
  std::string url;     // whole
};

struct Answer {
  int status = 0;     // HTTP status, exit status; 0 for raw sockets and MCP results
  std::string body;   // what was received: body, result as JSON, stdout; at most kAnswerLimit bytes
  std::string error;  // MCP error, stderr of a command, where a redirect leads; empty: none
  bool cut = false;   // the body was longer; what came after kAnswerLimit was read and dropped
  std::string content_type;           // of HTTP
  std::vector<PageRequest> requests;  // of a page, its own document among them
  std::string browser;                // of a page: the executable that opened it
  std::vector<std::string> cookies;   // values of Set-Cookie; capture() keeps them
  // The exchange alone: from before the request was sent (or the command started) to the last byte
  // (or its end). A new connection, where one was needed, is in it.
  std::chrono::nanoseconds took{};
};

inline constexpr std::size_t kAnswerLimit = 16 * 1024 * 1024;

// A browser older than this opens no further page; what it asks for by itself is learnt over a
// longer time (catcher/pages.hpp).
inline constexpr Milliseconds kBrowserLife{6'000};

class Door {
 public:
  virtual ~Door() = default;
  // Renders the request with these variables; nothing is sent.
  [[nodiscard]] virtual Result<> prepare(const Variables& variables) = 0;
  // One exchange, at most `limit` long. Fault::subject when it is refused, cut or too late.
  [[nodiscard]] virtual Result<Answer> call(Milliseconds limit) = 0;
  // Where the last call led; not known of what makes no connection of its own (exec, stdio).
  [[nodiscard]] virtual Peer peer() const { return {}; }
  // Pid of a program that this door itself started for the call (exec, stdio), else 0.
  [[nodiscard]] virtual pid_t helper() const { return 0; }
};

struct DoorContext {
  Enclosure& enclosure;
  // For exec and stdio doors: what the subject's own environment, folder and user are.
  Pairs environment;
  std::filesystem::path folder;
  std::string user;
  int interrupt_fd = -1;  // Interruption::fd(): a call in progress ends with Fault::interrupted
};

// Nothing is connected or started before the first call.
[[nodiscard]] Result<std::unique_ptr<Door>> open_door(const Step& step, const DoorContext& context);

[[nodiscard]] Result<Expectation> expand(const Expectation& written, const Variables& variables);

// Compares with what the step expects. The error (Fault::subject) quotes what came instead,
// shortened, with control characters escaped.
[[nodiscard]] Result<> meets(const Step& step, const Expectation& expanded, const Answer& answer);

// Sets every variable of step.capture from the answer's JSON, and keeps its cookies: every HTTP
// door that is prepared later with these variables sends them, whatever their host, path or age say
// (one subject, one jar), unless it has a Cookie header of its own. An expired cookie is taken out.
[[nodiscard]] Result<> capture(const Step& step, const Answer& answer, Variables& variables);

}  // namespace telltale::subject
