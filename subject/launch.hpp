// One launch: a subject in a work folder of its own, from set-up steps to its last process.
//
//   auto scratch = Scratch::make();
//   auto launch = Launch::prepare(specification, *enclosure, interruption, scratch->path(), {});
//   if (auto ready = (*launch)->start(); !ready) return ...;  // quotes what the subject said
//   ...                                                       // drive it, watch it
//   const StopReport report = (*launch)->stop();
//
// An interface, so that the driver and the lanes can be tried without a program; prepare() makes
// the real one. start() after stop() starts it again in the same folders (a second boot).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"
#include "subject/build_subject.hpp"
#include "subject/enclosure.hpp"
#include "subject/environment.hpp"
#include "subject/identity.hpp"
#include "subject/interruption.hpp"
#include "subject/listening.hpp"
#include "subject/scratch.hpp"
#include "subject/specification.hpp"
#include "subject/variables.hpp"
#include "subject/wire/endpoint.hpp"

namespace telltale::subject {

// Where and as whom a command runs that has another root folder than the tool (Enclosure::root()).
// All names are those of that root.
struct CommandPlace {
  GivenEnvironment environment;  // the whole of it
  std::filesystem::path folder;
  std::optional<Identity> user;  // nullopt: as the tool
};

struct LaunchOptions {
  std::string name = "launch";  // of its folder and its log: "keyed", "launch 2"
  const Difference* difference = nullptr;
  Pairs extra_environment;            // set last: the proxy variables
  std::vector<std::string> without;   // variables that it would have and is not given
  std::filesystem::path home;         // shared between launches; empty: fresh below ${work}
  std::filesystem::path binary;       // of a variant; empty: the specification's
  std::vector<std::string> canaries;  // ${canary.1}, ...
  std::string key;                    // ${key}; empty: minted, 64 hexadecimal digits
  Pairs variables;                    // more names for ${...}: ${address} of a companion
  std::filesystem::path log;  // of the subject's output, raw/log/NAME.log; empty: beside ${work}
  // A command after `--`: in the environment (less CI's), the folder, the terminal and the process
  // group of the tool. Its output is its own: nothing of it is seen or kept.
  bool foreground = false;
  // Such a command has a terminal of its own instead (own_terminal.hpp), in a session of its own.
  bool terminal = false;
  std::optional<CommandPlace> place;  // of such a command, in place of the tool's environment and folder
};

struct StopReport {
  Exit exit;                          // of the main process
  bool exited_by_itself = false;      // before it was asked to stop
  bool killed = false;                // the grace period ran out
  std::vector<std::string> detached;  // descendants that outlived it and were stopped: "pid exe"
  std::vector<std::string> left;      // could not be ended: "pid exe"
  std::uint64_t output_bytes = 0;     // all that it printed, set-up steps included
  std::uint64_t output_kept = 0;      // what is in the log, at most kOutputLimit
  std::string output_lost;            // why less was kept: "No space left on device"; else empty
};

inline constexpr std::uint64_t kOutputLimit = 64 * 1024 * 1024;  // bytes of output kept per launch

// tree(), listeners(), answered(), pid() and last_output() may be called from any thread, the rest
// from one.
class Launch {
 public:
  // Work folder, ports, variables, files, environment; set-up steps are run. Nothing is started.
  // The scratch folder, the enclosure and the interruption must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Launch>> prepare(const Specification& specification,
                                                               Enclosure& enclosure,
                                                               const Interruption& interruption,
                                                               const std::filesystem::path& scratch,
                                                               LaunchOptions options);
  virtual ~Launch() = default;  // stops whatever still runs

  // Starts and waits for readiness. Fault::subject, quoting the last lines of its output and its
  // exit status, when it ends first or is never ready; Fault::interrupted on a signal. After an
  // error nothing of it runs any more. A main process that ends with 0 and leaves descendants is a
  // daemon, and they are the subject then: before it is ready, and, where the file says how
  // readiness is seen, after it too (many end once they have said READY=1).
  [[nodiscard]] virtual Result<> start() = 0;
  // Signal, grace, kill; then every descendant. Safe to call twice: the report of the last run.
  virtual StopReport stop() = 0;

  [[nodiscard]] virtual Variables& variables() = 0;
  [[nodiscard]] virtual const Argv& command() const = 0;       // expanded
  [[nodiscard]] virtual const Pairs& environment() const = 0;  // as given; secrets are in it
  // Names in environment() whose values are the tool's own: they may be credentials of whoever ran
  // it, and are shown nowhere.
  [[nodiscard]] virtual const std::vector<std::string>& inherited() const = 0;
  [[nodiscard]] virtual Pairs secrets() const = 0;  // name and expanded value, with the key
  // Variables of the tool that the subject was not given, because they change what programs do
  // (CI); and opt-outs (DO_NOT_TRACK) that it was given: what it does without was not seen.
  [[nodiscard]] virtual const std::vector<std::string>& removed_variables() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& opt_outs() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& work() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& data() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& home() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& tmp() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& log() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& folder() const = 0;  // it runs in
  [[nodiscard]] virtual const std::string& user() const = 0;              // empty: as the tool
  // Enclosure::root() of what it runs in.
  [[nodiscard]] virtual int root() const { return -1; }
  // Interruption::fd(): ends the calls of its doors too. -1: nothing does.
  [[nodiscard]] virtual int interrupt_fd() const { return -1; }

  [[nodiscard]] virtual pid_t pid() const = 0;  // 0: never started
  [[nodiscard]] virtual bool running() = 0;
  // A subject that ended when it should not have: how, and the last lines of its output.
  [[nodiscard]] virtual Error ended_error() = 0;
  // Milliseconds from exec to ready.
  [[nodiscard]] virtual double boot_ms() const = 0;
  // The main process and every descendant, detached ones included.
  [[nodiscard]] virtual std::vector<pid_t> tree() const = 0;
  [[nodiscard]] virtual std::vector<ListeningSocket> listeners() const = 0;
  // Whether one of them is what a connection led to (answered_by.hpp).
  [[nodiscard]] virtual Result<> answered(const Peer&) const { return {}; }
  [[nodiscard]] virtual std::string last_output(std::size_t lines) const = 0;  // secrets masked
  // Watches every chunk of its output before the cap cuts it (the cipher lane searches it). Called
  // from the launch's own reader thread; set before start().
  virtual void on_output(std::function<void(std::string_view)> watcher) = 0;
};

}  // namespace telltale::subject
