// Acts of the control caller on the network: one system call each that an observer must see, and
// what the kernel said of it.
//
//   tcp ADDRESS PORT             "connected LOCAL-PORT" or "refused LOCAL-PORT": both are attempts
//   udp ADDRESS PORT TEXT        "sent LOCAL-PORT"
//   udp-connect ADDRESS PORT     a peer, and no packet: "connected LOCAL-PORT"
//   ping ADDRESS TEXT            one echo request of a ping socket (net.ipv4.ping_group_range,
//                                icmp(7)): "sent 0"
//   unix PATH                    "connected 0"
#pragma once

#include <optional>
#include <string>

#include "catcher/act.hpp"

namespace telltale::catcher {

[[nodiscard]] std::string stimuli_usage();

// nullopt: `words` name no act of this file.
[[nodiscard]] std::optional<Told> stimulate(const Words& words);

}  // namespace telltale::catcher
