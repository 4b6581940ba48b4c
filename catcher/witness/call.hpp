// A trapped system call, read: what it is about to do and to whom.
//
// What is read may be changed by another thread of the subject before the kernel reads it again:
// the witness explains, it does not prove.
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <string>
#include <vector>

#include "catcher/witness/process_cache.hpp"

namespace telltale::catcher {

// One address of one call. `kind`, with what `protocol` and `host` then are:
//   ""             a connection: "tcp" (or another stream), to host and port
//   "datagram"     a packet with an address: "udp", "icmp", "raw", ...
//   "udp connect"  a UDP socket given a peer; whether a packet follows is others' to see
//   "unix socket"  "unix"; host is the path ("@name": abstract)
//   "socket"       a socket of an unusual kind is asked for: "raw", "packet", "vsock", ...
//   "setns"        another namespace is asked for: "namespace"; host names the file
// and these, which go nowhere by themselves:
//   "netlink"      the kernel is asked (routes, interfaces)
//   "datagram socket"  one was made; what it sends by sendmsg(2) with MSG_NOSIGNAL is not seen:
//                  "udp", "icmp", or "unix"
//   "io_uring"     from here on this process can do calls that the witness does not see
//   "exec"         host is the program
//   "32-bit call"  of a 32-bit program: not decoded
struct WitnessedAct {
  std::string kind{};
  std::string protocol{};
  std::string host{};
  std::uint16_t port = 0;
  std::uint64_t cookie = 0;  // SO_COOKIE; 0: not a socket of the internet, or not to be had
};

// The acts of a call; none when it carries no address. `undecoded` counts addresses that could not
// be read.
struct WitnessedCall {
  std::uint32_t program = 0;
  std::vector<WitnessedAct> acts;
  std::uint64_t undecoded = 0;
};

[[nodiscard]] WitnessedCall read_call(const seccomp_notif& call, ProcessCache& processes);

}  // namespace telltale::catcher
