// One launch: a subject in a work folder of its own, from set-up steps to its last process.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evidence/instant.hpp"
#include "evidence/result.hpp"
#include "subject/enclosure.hpp"
#include "subject/interruption.hpp"
#include "subject/scratch.hpp"
#include "subject/specification.hpp"
#include "subject/variables.hpp"

namespace telltale::subject {

struct LaunchOptions {
  std::string name = "launch";  // of its folder and its log: "keyed", "launch 2"
  const Difference* difference = nullptr;
  Pairs extra_environment;            // set last: the proxy variables
  std::filesystem::path home;         // shared between launches; empty: fresh below ${work}
  std::filesystem::path binary;       // of a variant; empty: the specification's
  std::vector<std::string> canaries;  // ${canary.1}, ...
  std::string key;                    // ${key}; empty: minted
  std::filesystem::path log;  // where the subject's output goes, raw/log/NAME.log; empty: ${work}
};

// A listening socket of the subject's process tree.
struct ListeningSocket {
  std::string address;  // "0.0.0.0", "::1", a path for unix sockets
  std::uint16_t port = 0;
  bool udp = false;
  pid_t pid = 0;
  std::string executable;
};

struct StopReport {
  Exit exit;                          // of the main process
  bool exited_by_itself = false;      // before it was asked to stop
  bool killed = false;                // the grace period ran out
  std::vector<std::string> detached;  // descendants that outlived it and were stopped: "pid exe"
  std::uint64_t output_bytes = 0;     // all that it printed
  std::uint64_t output_kept = 0;      // what is in the log, at most kOutputLimit
};

inline constexpr std::uint64_t kOutputLimit = 64 * 1024 * 1024;  // bytes of output kept per launch

class Launch {
 public:
  // Work folder, ports, variables, files, environment; set-up steps are run. Nothing is started.
  [[nodiscard]] static Result<std::unique_ptr<Launch>> prepare(const Specification& specification,
                                                               Enclosure& enclosure,
                                                               const Interruption& interruption,
                                                               const std::filesystem::path& scratch,
                                                               LaunchOptions options);
  virtual ~Launch() = default;  // stops whatever still runs

  // Starts and waits for readiness. Fault::subject, quoting the last lines of its output and its
  // exit status, when it ends first or is never ready; Fault::interrupted on a signal.
  [[nodiscard]] virtual Result<> start() = 0;
  // Signal, grace, kill; then every descendant. Safe to call twice.
  virtual StopReport stop() = 0;

  [[nodiscard]] virtual Variables& variables() = 0;
  [[nodiscard]] virtual const Pairs& environment() const = 0;  // as given; secrets are in it
  [[nodiscard]] virtual Pairs secrets() const = 0;  // name and expanded value, with the key
  [[nodiscard]] virtual const std::filesystem::path& work() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& data() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& home() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& tmp() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& log() const = 0;

  [[nodiscard]] virtual pid_t pid() const = 0;
  [[nodiscard]] virtual bool running() = 0;
  // Milliseconds from exec to ready.
  [[nodiscard]] virtual double boot_ms() const = 0;
  // The main process and every descendant, detached ones included.
  [[nodiscard]] virtual std::vector<pid_t> tree() const = 0;
  [[nodiscard]] virtual std::vector<ListeningSocket> listeners() const = 0;
  [[nodiscard]] virtual std::string last_output(std::size_t lines) const = 0;
  // Watches every chunk of its output before the cap cuts it (the cipher lane searches it). Called
  // from the launch's own reader thread; set before start().
  virtual void on_output(std::function<void(std::string_view)> watcher) = 0;
};

// Runs `subject.build` once in the source folder; its output is kept in `log`. Seconds taken.
struct BuildReport {
  std::filesystem::path output;  // absolute
  double seconds = 0;
};
[[nodiscard]] Result<BuildReport> build_subject(const Specification& specification,
                                                const Build& build,
                                                const std::filesystem::path& log,
                                                const Interruption& interruption);

}  // namespace telltale::subject
