// The nftables rules of W that give whatever arrives to the redirected sockets.
//
// Theory of operation. In PREROUTING the kernel's tproxy statement assigns a packet to a socket
// without changing it (nft(8), "TPROXY STATEMENT"): capture and socket both keep the original
// destination, and replies come from it. libnftables works in process; its socket belongs to the
// network namespace of the thread that opens it.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

// The ports on which the redirected sockets listen.
struct RedirectedPorts {
  std::uint16_t tcp = 0;
  std::uint16_t dns_tcp = 0;
  std::uint16_t dns_udp = 0;
  std::uint16_t udp = 0;
};

[[nodiscard]] std::string redirection_rules(const RedirectedPorts& ports);

// On a thread of W.
[[nodiscard]] Result<> redirect(const RedirectedPorts& ports);

}  // namespace telltale::catcher
