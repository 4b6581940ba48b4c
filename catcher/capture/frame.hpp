// An Ethernet frame of the subject's, read as far as its flow: addresses, protocol, ports.
//
// IPv4 (RFC 791) and IPv6 (RFC 8200, hop-by-hop, routing, destination and fragment headers), TCP,
// UDP, ICMP; everything else by its protocol number or EtherType. Later fragments have no ports:
// they are a flow of their protocol. Tunnels are not looked into.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace telltale::catcher {

struct FlowKey {
  std::uint8_t version = 0;   // 4 or 6; 0: not IP, and `protocol` is meaningless
  std::uint8_t protocol = 0;  // IPPROTO_*
  bool fragment = false;      // not the first: no ports
  std::uint16_t ethertype = 0;
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;          // 0 where the protocol has none
  std::array<std::uint8_t, 16> source{};       // IPv4: the first four; not IP: nothing
  std::array<std::uint8_t, 16> destination{};  // not IP: the hardware address

  bool operator==(const FlowKey&) const = default;

  [[nodiscard]] std::string host() const;           // numeric destination
  [[nodiscard]] std::string protocol_name() const;  // "tcp", "udp", "icmp", "protocol 253", ...
};

struct FlowHash {
  [[nodiscard]] std::size_t operator()(const FlowKey& key) const;
};

struct Frame {
  FlowKey flow;
  bool opens = false;  // TCP: SYN without ACK
  // What a kernel says of itself, whoever runs on it: ARP, neighbour discovery, group membership
  // (IGMP, MLD), ICMP errors and echo replies. A subject with raw sockets could hide in these.
  bool housekeeping = false;
};

// `bytes` from the Ethernet header on, `size` of them captured. Never fails: what is too short to
// read is a flow without ports.
[[nodiscard]] Frame read_frame(const std::uint8_t* bytes, std::size_t size);

}  // namespace telltale::catcher
