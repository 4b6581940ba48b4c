#include "catcher/capture/frame.hpp"

#include <fmt/core.h>
#include <net/ethernet.h>
#include <netinet/in.h>

#include <algorithm>
#include <string_view>

#include "catcher/numeric_address.hpp"

namespace telltale::catcher {

namespace {

// Bytes that end somewhere: reading past it gives zero.
class FrameBytes {
 public:
  FrameBytes(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {}
  [[nodiscard]] std::uint8_t byte(std::size_t at) const { return at < size_ ? bytes_[at] : 0; }
  [[nodiscard]] std::uint16_t word(std::size_t at) const {
    return static_cast<std::uint16_t>(byte(at) << 8 | byte(at + 1));
  }
  void copy(std::size_t at, std::size_t count, std::array<std::uint8_t, 16>& into) const {
    for (std::size_t i = 0; i < count; ++i) into[i] = byte(at + i);
  }

 private:
  const std::uint8_t* bytes_;
  std::size_t size_;
};

bool housekeeping_of_icmp4(std::uint8_t type) {
  return type == 0 || type == 3 || type == 11 || type == 12;  // RFC 792
}

bool housekeeping_of_icmp6(std::uint8_t type) {
  return type < 128 || (type >= 129 && type <= 137) || type == 143;  // RFC 4443, 4861, 3810
}

void read_transport(const FrameBytes& bytes, std::size_t at, Frame& frame) {
  auto& flow = frame.flow;
  if (flow.protocol == IPPROTO_IGMP) frame.housekeeping = true;
  if (flow.fragment) return;
  if (flow.protocol == IPPROTO_ICMP && flow.version == 4)
    frame.housekeeping = housekeeping_of_icmp4(bytes.byte(at));
  if (flow.protocol == IPPROTO_ICMPV6) frame.housekeeping = housekeeping_of_icmp6(bytes.byte(at));
  if (flow.protocol != IPPROTO_TCP && flow.protocol != IPPROTO_UDP) return;
  flow.source_port = bytes.word(at);
  flow.destination_port = bytes.word(at + 2);
  constexpr int kSyn = 0x02;
  constexpr int kAck = 0x10;
  frame.opens = flow.protocol == IPPROTO_TCP && (bytes.byte(at + 13) & (kSyn | kAck)) == kSyn;
}

void read_ip4(const FrameBytes& bytes, std::size_t at, Frame& frame) {
  auto& flow = frame.flow;
  flow.version = 4;
  flow.protocol = bytes.byte(at + 9);
  flow.fragment = (bytes.word(at + 6) & 0x1fff) != 0;
  bytes.copy(at + 12, 4, flow.source);
  bytes.copy(at + 16, 4, flow.destination);
  read_transport(bytes, at + 4u * (bytes.byte(at) & 0xfu), frame);
}

void read_ip6(const FrameBytes& bytes, std::size_t at, Frame& frame) {
  auto& flow = frame.flow;
  flow.version = 6;
  bytes.copy(at + 8, 16, flow.source);
  bytes.copy(at + 24, 16, flow.destination);
  std::uint8_t next = bytes.byte(at + 6);
  at += 40;
  for (int headers = 0; headers < 8; ++headers) {
    if (next == IPPROTO_FRAGMENT) {
      flow.fragment = (bytes.word(at + 2) & 0xfff8) != 0;
      next = bytes.byte(at);
      at += 8;
    } else if (next == IPPROTO_HOPOPTS || next == IPPROTO_ROUTING || next == IPPROTO_DSTOPTS) {
      next = bytes.byte(at);
      at += 8u * (bytes.byte(at + 1) + 1u);
    } else {
      break;
    }
  }
  flow.protocol = next;
  read_transport(bytes, at, frame);
}

}  // namespace

std::string FlowKey::host() const {
  if (version == 0)
    return fmt::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", destination[0], destination[1],
                       destination[2], destination[3], destination[4], destination[5]);
  return numeric_address(version == 4 ? AF_INET : AF_INET6, destination.data());
}

std::string FlowKey::protocol_name() const {
  if (version == 0) return fmt::format("ethernet 0x{:04x}", ethertype);
  if (protocol == IPPROTO_TCP) return "tcp";
  if (protocol == IPPROTO_UDP) return "udp";
  if (protocol == (version == 4 ? int{IPPROTO_ICMP} : int{IPPROTO_ICMPV6})) return "icmp";
  return fmt::format("protocol {}", protocol);
}

std::size_t FlowHash::operator()(const FlowKey& key) const {
  const auto text = [](const auto& bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const std::hash<std::string_view> hash;
  const std::size_t numbers = static_cast<std::size_t>(key.source_port) << 32 |
                              static_cast<std::size_t>(key.destination_port) << 16 | key.protocol;
  return (hash(text(key.source)) * 31 + hash(text(key.destination))) * 31 ^
         numbers * 0x9e3779b97f4a7c15u;
}

Frame read_frame(const std::uint8_t* data, std::size_t size) {
  const FrameBytes bytes(data, size);
  Frame frame;
  constexpr std::size_t kHeader = ETHER_HDR_LEN;
  frame.flow.ethertype = bytes.word(12);
  if (frame.flow.ethertype == ETHERTYPE_IP)
    read_ip4(bytes, kHeader, frame);
  else if (frame.flow.ethertype == ETHERTYPE_IPV6)
    read_ip6(bytes, kHeader, frame);
  else
    bytes.copy(0, ETHER_ADDR_LEN, frame.flow.destination);
  if (frame.flow.ethertype == ETHERTYPE_ARP) frame.housekeeping = true;
  return frame;
}

}  // namespace telltale::catcher
