// The seccomp filter of the witness: which system calls are worth a notification.
//
// One costs the subject some 20 microseconds (a call: 2), so only what is rarely paid is trapped:
//   connect, sendmsg, sendmmsg        always: the filter cannot see into the memory they point to
//   sendto                            with an address; send(2) and a connected socket pay nothing
//   socket                            of raw and packet type, and of families other than AF_UNIX,
//                                     AF_INET and AF_INET6 (netlink, packet, vsock, ...)
//   io_uring_setup, setns             always: a way around this filter, a way out of the namespace
//   execve, execveat                  always: a process is then another program
// Calls of a 32-bit x86 program are trapped by their own numbers and are not decoded. Not covered:
// 32-bit programs on ARM.
#pragma once

namespace telltale::catcher {

// Puts the filter on the calling thread, which must be the only one of its process, for good and
// for all that it executes or forks. Returns the listener (a descriptor, close-on-exec) or -errno.
// Async-signal-safe. Sets no_new_privs only where the kernel asks for it (no CAP_SYS_ADMIN): then
// set-user-id programs of the subject run without their privilege.
[[nodiscard]] int install_witness_filter() noexcept;

}  // namespace telltale::catcher
