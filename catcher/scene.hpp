// What is going on while the observers watch: which launch, which phase, and which processes are
// the subject's. One Scene is shared by the lane, which changes it, and the observers' threads.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace telltale::catcher {

// Belongs to Watch::prove: nothing of the subject runs meanwhile.
inline constexpr auto kControlPhase = "control";

struct Moment {
  int launch = 0;
  std::string phase;
};

class Scene {
 public:
  using ProcessList = std::function<std::vector<pid_t>()>;

  // `descendants` lists every process that this run has started, control callers included; it must
  // be safe to call from any thread.
  explicit Scene(ProcessList descendants) : descendants_(std::move(descendants)) {}

  void set(int launch, std::string phase);
  [[nodiscard]] Moment moment() const;

  // Processes that this tool started to prove an observer: what they do is no attempt.
  void add_caller(pid_t pid);
  [[nodiscard]] bool is_caller(pid_t pid) const;

  // Where a control is about to go, for observers that know no process: a fresh address and port
  // that nobody else can have chosen. Port 0: of a protocol that has none, and of no other.
  void add_control(const std::string& host, std::uint16_t port);
  [[nodiscard]] bool is_control(const std::string& host, std::uint16_t port) const;

  // Called with the moment that ends, on the thread of set(), before the next one begins: for
  // observers whose counters know no time. Not from within such a call.
  void on_leave(std::function<void(const Moment&)> call);

  // Whose processes are started from now on: "companion db"; empty: the subject's. Read by the
  // witness at each start, so that it knows of every later act whose it is.
  void set_party(std::string party);
  [[nodiscard]] std::string party() const;
  // A process that is seen to be theirs; for acts that no witness saw.
  void add_party(pid_t pid, const std::string& party);
  [[nodiscard]] std::string party_of(pid_t pid) const;

  [[nodiscard]] std::vector<pid_t> processes() const { return descendants_(); }

 private:
  mutable std::mutex mutex_;
  ProcessList descendants_;
  Moment moment_;
  std::string party_;
  std::map<pid_t, std::string> parties_;
  std::set<pid_t> callers_;
  std::set<std::pair<std::string, std::uint16_t>> controls_;
  std::vector<std::function<void(const Moment&)>> on_leave_;
};

}  // namespace telltale::catcher
