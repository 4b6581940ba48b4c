// The sockets of this network namespace, from the kernel: NETLINK_SOCK_DIAG (sock_diag(7)).
//
// A dump walks the kernel's whole hash table of connections, so its price is the size of that table
// more than the number of sockets: TCP over IPv4 and IPv6 are asked in one dump (the address family
// "unspecified" of the original TCPDIAG_GETSOCK request still means both), and a state filter keeps
// what nobody asks for out of the answer. It does not see: raw and packet sockets, ICMP sockets,
// sockets of other namespaces, and any socket that was opened and closed between two dumps.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "evidence/result.hpp"

struct inet_diag_msg;  // linux/inet_diag.h

namespace telltale::catcher {

struct Endpoint {
  std::string address;  // numeric; an IPv4-mapped IPv6 address is written as IPv4
  std::uint16_t port = 0;
  bool operator==(const Endpoint&) const = default;
};

// "127.0.0.1:80", "[::1]:80"
[[nodiscard]] std::string text(const Endpoint& endpoint);

// One socket as a dump gives it: binary, so that a pass over thousands allocates nothing.
struct RawSocket {
  std::uint8_t protocol = 0;  // IPPROTO_TCP or IPPROTO_UDP
  std::uint8_t family = 0;    // AF_INET or AF_INET6
  std::uint8_t state = 0;     // TCP_ESTABLISHED, TCP_LISTEN, ... of tcp_states.h
  std::uint16_t local_port = 0;
  std::uint16_t peer_port = 0;  // 0: no peer
  std::uint32_t local[4] = {};  // network order; IPv4 in the first word
  std::uint32_t peer[4] = {};
  std::uint32_t inode = 0;  // of the file that /proc/PID/fd shows; 0 once its process closed it
  std::uint32_t uid = 0;
  std::uint64_t cookie = 0;  // as SO_COOKIE gives it: names this socket and no later one

  [[nodiscard]] Endpoint local_endpoint() const;
  [[nodiscard]] Endpoint peer_endpoint() const;
};

// Dumps and the messages of closed sockets (closed_sockets.hpp) have one form.
[[nodiscard]] RawSocket to_raw_socket(const inet_diag_msg& message, std::uint8_t protocol);

class SocketDiagnostics {
 public:
  // Fault::instrument when the kernel has no NETLINK_SOCK_DIAG, with the reason.
  [[nodiscard]] static Result<SocketDiagnostics> open();
  SocketDiagnostics(SocketDiagnostics&&) noexcept;
  SocketDiagnostics& operator=(SocketDiagnostics&&) noexcept;
  ~SocketDiagnostics();

  // Every TCP socket but those in TIME_WAIT (they have no owner any more), and every UDP socket,
  // over IPv4 and IPv6. A dump that the kernel marks as interrupted (NLM_F_DUMP_INTR) is repeated
  // once, then taken as it is: `interrupted()` counts those.
  [[nodiscard]] Result<> visit(const std::function<void(const RawSocket&)>& each);
  [[nodiscard]] Result<> visit_udp(const std::function<void(const RawSocket&)>& each);
  [[nodiscard]] std::uint64_t interrupted() const;

  // The inode of the socket of IPPROTO_TCP or IPPROTO_UDP whose local end is `local` and that has,
  // or (UDP) would take packets from, this peer; 0 when there is none. One look-up, no walk.
  [[nodiscard]] Result<std::uint32_t> inode_of(std::uint8_t protocol, const Endpoint& local,
                                               const Endpoint& peer);

 private:
  struct State;
  explicit SocketDiagnostics(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace telltale::catcher
