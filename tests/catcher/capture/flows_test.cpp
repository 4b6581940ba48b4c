#include "catcher/capture/flows.hpp"

#include <netinet/in.h>

#include <vector>

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes ethernet(std::uint16_t type) {
  Bytes frame(14, 0x22);
  frame[12] = static_cast<std::uint8_t>(type >> 8);
  frame[13] = static_cast<std::uint8_t>(type);
  return frame;
}

// 192.0.2.1 -> 203.0.113.9
Bytes ip4(std::uint8_t protocol, const Bytes& payload, std::uint16_t fragment = 0) {
  auto frame = ethernet(0x0800);
  const Bytes header{0x45,
                     0,
                     0,
                     0,
                     0,
                     0,
                     static_cast<std::uint8_t>(fragment >> 8),
                     static_cast<std::uint8_t>(fragment),
                     64,
                     protocol,
                     0,
                     0,
                     192,
                     0,
                     2,
                     1,
                     203,
                     0,
                     113,
                     9};
  frame.insert(frame.end(), header.begin(), header.end());
  frame.insert(frame.end(), payload.begin(), payload.end());
  return frame;
}

Bytes ip6(std::uint8_t next, const Bytes& payload) {
  auto frame = ethernet(0x86dd);
  Bytes header(40, 0);
  header[0] = 0x60;
  header[6] = next;
  header[8] = 0x20;
  header[24] = 0x20;
  header[39] = 9;
  frame.insert(frame.end(), header.begin(), header.end());
  frame.insert(frame.end(), payload.begin(), payload.end());
  return frame;
}

Bytes tcp(std::uint8_t flags) {
  Bytes header(20, 0);
  header[0] = 0x9c, header[1] = 0x40;  // 40000
  header[2] = 0x01, header[3] = 0xbb;  // 443
  header[13] = flags;
  return header;
}

Frame read(const Bytes& bytes) {
  return read_frame(bytes.data(), bytes.size());
}

}  // namespace

TEST_CASE("a frame is read as far as its flow") {
  const auto syn = read(ip4(IPPROTO_TCP, tcp(0x02)));
  CHECK(syn.opens);
  CHECK(syn.flow.host() == "203.0.113.9");
  CHECK(syn.flow.protocol_name() == "tcp");
  CHECK(syn.flow.source_port == 40000);
  CHECK(syn.flow.destination_port == 443);
  CHECK_FALSE(read(ip4(IPPROTO_TCP, tcp(0x12))).opens);
  CHECK_FALSE(read(ip4(IPPROTO_TCP, tcp(0x10))).opens);

  // A destination-options header of eight bytes before TCP.
  Bytes options{IPPROTO_TCP, 0, 0, 0, 0, 0, 0, 0};
  const auto header = tcp(0x02);
  options.insert(options.end(), header.begin(), header.end());
  const auto six = read(ip6(IPPROTO_DSTOPTS, options));
  CHECK(six.flow.host() == "2000::9");
  CHECK(six.flow.destination_port == 443);
  CHECK(six.opens);

  CHECK(read(ip4(253, {1, 2, 3, 4, 5, 6, 7, 8})).flow.protocol_name() == "protocol 253");
  CHECK(read(ethernet(0x88cc)).flow.protocol_name() == "ethernet 0x88cc");
  CHECK(read(ethernet(0x88cc)).flow.host() == "22:22:22:22:22:22");
}

TEST_CASE("a later fragment has no ports") {
  const auto later = read(ip4(IPPROTO_UDP, {0x12, 0x34, 0x56, 0x78}, 185));
  CHECK(later.flow.fragment);
  CHECK(later.flow.destination_port == 0);
  CHECK(read(ip4(IPPROTO_UDP, {0x12, 0x34, 0x56, 0x78}, 0x2000)).flow.destination_port == 0x5678);
}

TEST_CASE("what a kernel says of itself is told from what a program asks") {
  CHECK(read(ethernet(0x0806)).housekeeping);
  CHECK_FALSE(read(ip4(IPPROTO_ICMP, {8, 0})).housekeeping);
  CHECK(read(ip4(IPPROTO_ICMP, {3, 3})).housekeeping);
  CHECK_FALSE(read(ip6(IPPROTO_ICMPV6, {128, 0})).housekeeping);
  CHECK(read(ip6(IPPROTO_ICMPV6, {135, 0})).housekeeping);
  CHECK(read(ip6(IPPROTO_ICMPV6, {143, 0})).housekeeping);
  CHECK(read(ip4(IPPROTO_IGMP, {0x22, 0})).housekeeping);
}

TEST_CASE("frames cut short anywhere are read without harm") {
  const auto whole = ip6(IPPROTO_TCP, tcp(0x02));
  for (std::size_t size = 0; size < whole.size(); ++size) (void)read_frame(whole.data(), size);
  CHECK(read_frame(nullptr, 0).flow.version == 0);
}

TEST_CASE("flows are counted in bounded memory, and what is too much is told") {
  FlowTable table(2);
  const PacketTime at{};
  auto frame = read(ip4(IPPROTO_TCP, tcp(0x02)));
  for (std::uint16_t port = 1; port <= 10; ++port) {
    frame.flow.source_port = port;
    table.add(frame, at, 54);
  }
  REQUIRE(table.flows().size() == 3);  // two kept apart, the rest by destination
  frame.flow.source_port = 0;
  CHECK(table.flows().at(frame.flow).opened == 8);
  CHECK(table.lost() == 0);
  for (std::uint8_t last = 1; last <= 10; ++last) {
    frame.flow.destination[3] = last;
    table.add(frame, at, 54);
  }
  CHECK(table.flows().size() == 4);
  CHECK(table.lost() == 8);
}
