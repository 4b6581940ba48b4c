// Which program is at the other end of a connection or a packet: the socket from the kernel
// (socket_diagnostics.hpp), its holder from /proc (socket_owner.hpp).
//
// Walking /proc/PID/fd costs 0.3 to 50 ms, so the walk is remembered, repeated only for a socket
// that it did not hold, and takes no more than a twentieth of the time, after a first tenth of a
// second: in a long burst of short connections some stay without a program (a witness has it then).
// It does not see a socket whose holder has closed it. One observer's thread uses one of these.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>

#include "catcher/scene.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "evidence/result.hpp"

namespace telltale::catcher {

struct PeerProgram {
  pid_t pid = 0;      // 0: not found
  bool gone = false;  // nobody holds the socket any more: not to be found later either
  std::string executable;
};

class PeerOwner {
 public:
  explicit PeerOwner(const Scene& scene) : scene_(scene) {}

  // Call it on a thread in the network namespace of the peers. Fault::instrument without
  // NETLINK_SOCK_DIAG.
  [[nodiscard]] Result<> open();

  // `peer` is the other end as we see it, `here` what it has reached out to.
  [[nodiscard]] PeerProgram find(std::uint8_t protocol, const Endpoint& peer, const Endpoint& here);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kMostCredit{100};

  void walk();

  const Scene& scene_;
  std::optional<SocketDiagnostics> diagnostics_;
  std::unordered_map<std::uint32_t, pid_t> owners_;  // by inode, of the last walk
  Clock::duration credit_ = kMostCredit;             // time that walks may take
  Clock::time_point counted_ = Clock::now();
};

}  // namespace telltale::catcher
