// The broker: what becomes of a subject's call where there are no namespaces.
//
// Theory of operation. Landlock refuses the subject every TCP connection, whatever it does, so a
// connection can only be made for it: the supervisor of the witness takes a duplicate of the socket
// (pidfd_getfd(2)), connects it, to the answerer or to a listener of the subject's own, and gives
// the call its result (seccomp_unotify(2)). The address was read once and it is that reading which
// counts, so there is no race. The subject's socket then has the answerer for its peer
// (getpeername(2) shows it), and where it was to go is kept here, by the local end of the
// connection.
//
//   TCP           to its own listeners, to those of the tool: there; port 53: the resolver; all
//   else:
//                 the answerer. A connect that waits is finished when its socket is writable.
//   UDP           connected to its own ports: there; to port 53: the resolver; all else is refused
//                 (ENETUNREACH), and so is a packet with an address and a TCP Fast Open
//   unix sockets  of the subject and of the tool: allowed; of anybody else: refused (ECONNREFUSED)
//   raw, packet and other unusual sockets, io_uring, setns: refused, as if the kernel had none
//
// What is allowed to go on is read again by the kernel, and another thread may have changed it
// meanwhile. It is then no TCP connection (Landlock), but may be anything else: reduced assurance.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catcher/scene.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "catcher/witness/ruling.hpp"

namespace telltale::catcher {

struct BrokerTargets {
  Endpoint answerer;      // TCP, 127.0.0.1
  Endpoint resolver_tcp;  // likewise
  Endpoint resolver_udp;
};

// Thread-safe.
class Broker {
 public:
  // Sockets below `own_folders` are the tool's.
  Broker(BrokerTargets targets, std::vector<std::filesystem::path> own_folders)
      : targets_(std::move(targets)), own_folders_(std::move(own_folders)) {}

  // A listener of the tool's that subject and callers reach as they are.
  void add_listener(const Endpoint& listener);

  // Of `scene` are asked the processes whose listeners are the subject's own.
  [[nodiscard]] Ruling rule(const seccomp_notif& call, const WitnessedCall& read,
                            ProcessCache& processes, const Scene& scene);

  // Where what comes from this local end was to go; waits a moment for a connection that is being
  // made. A TCP connection is asked for once.
  [[nodiscard]] std::optional<Endpoint> destination_of(const Endpoint& client, bool udp);
  // The subject has reached itself there.
  [[nodiscard]] bool stays_inside(const Endpoint& endpoint) const;
  [[nodiscard]] bool is_listener(const Endpoint& endpoint) const;

 private:
  [[nodiscard]] Ruling connect(const seccomp_notif& call, const WitnessedAct& act,
                               ProcessCache& processes, const Scene& scene);
  [[nodiscard]] Ruling connect_to(const Endpoint& target, const Endpoint& wanted, bool udp,
                                  subject::FileDescriptor socket);
  [[nodiscard]] bool is_own(const Endpoint& wanted, bool udp, const Scene& scene);
  [[nodiscard]] bool may_open(const std::string& path, const Scene& scene) const;
  void remember(const Endpoint& client, const Endpoint& wanted, bool udp);

  BrokerTargets targets_;
  std::vector<std::filesystem::path> own_folders_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable added_;
  std::set<std::pair<std::string, std::uint16_t>> listeners_, inside_;
  // By the port of the local end; true: UDP.
  std::map<std::pair<bool, std::uint16_t>, Endpoint> destinations_;
};

}  // namespace telltale::catcher
