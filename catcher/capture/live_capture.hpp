// A capture handle of libpcap on one interface.
//
// It is opened in the network namespace of the interface and read from any thread: a packet socket
// stays where it was made. Its ring (TPACKET_V3) hands over blocks, at the latest after
// kTapHandOverMs. At the end the kernel says how many packets it took: they are waited for, and one
// hand-over more.
#pragma once

#include <net/ethernet.h>
#include <pcap/pcap.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

inline constexpr int kTapHandOverMs = 8;  // each takes a block of the ring, however little is in it

struct CaptureCloser {
  void operator()(pcap_t* handle) const { pcap_close(handle); }
};
using CaptureHandle = std::unique_ptr<pcap_t, CaptureCloser>;
using HardwareAddress = std::array<std::uint8_t, ETHER_ADDR_LEN>;

// Non-blocking, promiscuous, times in nanoseconds; `snaplen` bytes kept of a packet, `ring` bytes
// between the kernel and the reader. Both are called in the interface's namespace.
// Fault::instrument, with what is missing.
[[nodiscard]] Result<CaptureHandle> open_capture(const std::string& interface, int snaplen,
                                                 int ring);
[[nodiscard]] Result<HardwareAddress> hardware_of(const std::string& interface);

}  // namespace telltale::catcher
