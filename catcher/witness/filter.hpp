// The seccomp filter of the witness: which system calls are worth a notification.
//
// One costs the subject some 10 to 20 microseconds (a call: 2), so only what is rarely paid is
// trapped:
//   connect, sendmmsg                 always: the filter cannot see into the memory they point to
//   sendto                            with an address; send(2) and a connected socket pay nothing
//   sendmsg                           but with MSG_NOSIGNAL and without MSG_FASTOPEN
//   socket                            of raw, packet and datagram type, and of families other than
//                                     AF_UNIX, AF_INET and AF_INET6 (netlink, packet, vsock, ...)
//   socketpair                        of datagram type
//   io_uring_setup, setns             always: a way around this filter, a way out of the namespace
//   execve, execveat                  always: a process is then another program
//
// MSG_NOSIGNAL means a stream: a server (Asio, gRPC) says it with every answer, on a connected
// socket, and trapping those doubled the price of a request. Whoever sends a datagram so (the
// client of journald does) is not seen to; for that the making of a datagram socket is trapped: of
// the internet, other observers have the packet and its address, and this one names who may have
// sent it (merging.cpp); of AF_UNIX, nobody else would, so that it blocks CLEAN where a daemon
// takes datagrams at a path in the subject's sight (watch.cpp). Where a Judge rules (ruling.hpp)
// the filter is a wall: then every sendmsg is trapped, and no making of a datagram socket. Calls of
// a 32-bit x86 program are trapped by their own numbers and are not decoded. Not covered: 32-bit
// programs on ARM.
#pragma once

namespace telltale::catcher {

enum class Trapped { rarely_paid, every_message };

// Puts the filter on the calling thread, which must be the only one of its process, for good and
// for all that it executes or forks. Returns the listener (a descriptor, close-on-exec) or -errno.
// Async-signal-safe. Sets no_new_privs only where the kernel asks for it (no CAP_SYS_ADMIN): then
// set-user-id programs of the subject run without their privilege.
[[nodiscard]] int install_witness_filter(Trapped trapped) noexcept;

}  // namespace telltale::catcher
