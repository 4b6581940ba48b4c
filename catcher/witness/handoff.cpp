#include "catcher/witness/handoff.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace telltale::catcher {

namespace {

constexpr int kPatienceMs = 10'000;

struct Announcement {
  pid_t pid = 0;  // 0: nothing came
  int number = -1;
};

Announcement hear(int end) {
  Announcement heard;
  iovec data{&heard.number, sizeof heard.number};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(end, &message, MSG_CMSG_CLOEXEC) != sizeof heard.number) return heard;
  const auto* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_CREDENTIALS) return heard;
  ucred credentials{};
  std::memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
  heard.pid = credentials.pid;
  return heard;
}

subject::FileDescriptor fetch(const Announcement& heard) {
  const subject::FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, heard.pid, 0)));
  if (!process.valid()) return {};
  return subject::FileDescriptor(
      static_cast<int>(syscall(SYS_pidfd_getfd, process.get(), heard.number, 0)));
}

}  // namespace

Result<Handoff> Handoff::make(Trapped trapped) {
  int ends[2] = {-1, -1};
  const int one = 1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(Fault::instrument,
                fmt::format("no socket pair for the witness: {}", std::strerror(errno)));
  Handoff made;
  made.trapped_ = trapped;
  made.child_ = subject::FileDescriptor(ends[0]);
  made.supervisor_ = subject::FileDescriptor(ends[1]);
  if (setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &one, sizeof one) != 0)
    return fail(Fault::instrument,
                fmt::format("SO_PASSCRED for the witness: {}", std::strerror(errno)));
  return made;
}

int Handoff::install() const noexcept {
  // pidfd_getfd needs the right to trace us, which a change of user has just taken away.
  const int dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  const int listener = install_witness_filter(trapped_);
  if (listener < 0) return -listener;
  char accepted = 0;
  const bool said = send(child_.get(), &listener, sizeof listener, MSG_NOSIGNAL) ==
                    static_cast<ssize_t>(sizeof listener);
  // Not for ever: this process holds a copy of the supervisor's end too, so its death is no EOF.
  pollfd waiting{child_.get(), POLLIN, 0};
  ssize_t heard = -1;
  if (said && poll(&waiting, 1, kPatienceMs) == 1) heard = read(child_.get(), &accepted, 1);
  close(listener);
  prctl(PR_SET_DUMPABLE, dumpable == 1 ? 1 : 0, 0, 0, 0);
  return heard == 1 && accepted == 1 ? 0 : ECONNREFUSED;
}

Result<subject::FileDescriptor> receive_listener(int supervisor_end) {
  const auto heard = hear(supervisor_end);
  if (heard.pid == 0)
    return fail(Fault::instrument, "a process ended before the witness was attached to it");
  auto listener = fetch(heard);
  const int error = errno;
  const char accepted = listener.valid() ? 1 : 0;
  (void)send(supervisor_end, &accepted, 1, MSG_NOSIGNAL);
  if (!listener.valid())
    return fail(Fault::instrument,
                fmt::format("the witness could not be attached to process {}: {}", heard.pid,
                            std::strerror(error)),
                "run as root, or allow ptrace of own children (kernel.yama.ptrace_scope=1)");
  return listener;
}

}  // namespace telltale::catcher
