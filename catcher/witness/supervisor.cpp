#include "catcher/witness/supervisor.hpp"

#include <fmt/core.h>
#include <linux/audit.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "catcher/witness/handoff.hpp"

namespace telltale::catcher {

namespace {

// linux/seccomp.h of Linux 6.6
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
constexpr unsigned long kSyncWakeUp = 1;

// struct sched_attr of linux/sched/types.h, which glibc 2.36 does not declare.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;  // SCHED_OTHER
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // nanoseconds
  std::uint64_t deadline = 0, period = 0;
};

// On a busy machine a thread that is woken waits for the other's slice to end, here some
// milliseconds a call of the subject. A thread that asks for short slices is let in at once (Linux
// 6.12: sched_attr::sched_runtime of SCHED_OTHER; needs no privilege, older kernels take no
// notice).
void ask_for_short_slices() {
  SchedulingAttributes attributes;
  attributes.runtime = 100'000;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

enum class Source { none, handoff, listener, connection };

// A call that gets its answer when its socket is connected.
struct Waiting {
  int listener = -1;
  std::uint64_t id = 0;
};

struct Watched {
  Source source = Source::none;
  subject::FileDescriptor descriptor;
  std::string party;  // whose filter it is
};

// What no namespace covers (world/vsock_filter.hpp). The family is in a register: it cannot change
// after it was read, and a second listener, which could say "go on" instead, is refused by the
// kernel (EBUSY). The call of a 32-bit program has other numbers: not covered.
bool asks_for_vsock(const seccomp_data& data) {
  constexpr int kX32Calls = 0x40000000;
#if defined(__x86_64__)
  if (data.arch != AUDIT_ARCH_X86_64) return false;
#else
  if (data.arch != AUDIT_ARCH_AARCH64) return false;
#endif
  return (data.nr & ~kX32Calls) == SYS_socket && static_cast<int>(data.args[0]) == AF_VSOCK;
}

}  // namespace

struct Supervisor::State {
  OnCall each;
  OnFailure failed;
  Judge judge;
  ProcessCache processes;
  subject::FileDescriptor woken;  // an eventfd: the sources have changed, or it is over
  std::mutex mutex;               // of what follows
  std::map<int, Watched> sources;
  bool running = false;
  bool changed = true;             // the sources, since they were last listed
  std::map<int, Waiting> waiting;  // by socket; the thread's own
  std::vector<pollfd> polled;      // likewise
  std::thread thread;

  void watch(Source source, subject::FileDescriptor descriptor, std::string party = {}) {
    const int number = descriptor.get();
    const std::lock_guard lock(mutex);
    if (!running) return;  // closed: whoever waits at the other end learns it at once
    sources.insert_or_assign(number, Watched{source, std::move(descriptor), std::move(party)});
    changed = true;
    eventfd_write(woken.get(), 1);
  }

  void drop(int number) {
    const std::lock_guard lock(mutex);
    sources.erase(number);
    changed = true;
  }

  // What it is, and whose.
  std::pair<Source, std::string> source_of(int number) {
    const std::lock_guard lock(mutex);
    const auto at = sources.find(number);
    if (at == sources.end()) return {Source::none, {}};
    return {at->second.source, at->second.party};
  }

  // False: it is over.
  bool list_sources() {
    const std::lock_guard lock(mutex);
    if (!running) return false;
    if (!changed) return true;
    changed = false;
    polled.assign(1, {woken.get(), POLLIN, 0});
    for (const auto& [number, watched] : sources)
      polled.push_back(
          {number, static_cast<short>(watched.source == Source::connection ? POLLOUT : POLLIN), 0});
    return true;
  }

  // poll(2), not epoll(7): the wake-up on this very CPU, which SYNC_WAKE_UP asks for, is lost on
  // its way through an epoll descriptor (fs/eventpoll.c passes on that it is synchronous alone).
  void run() {
    ask_for_short_slices();
    while (list_sources()) {
      if (poll(polled.data(), polled.size(), -1) <= 0) continue;
      eventfd_t unused = 0;
      if (polled[0].revents != 0) eventfd_read(woken.get(), &unused);
      for (std::size_t i = 1; i < polled.size(); ++i)
        if (polled[i].revents != 0) attend(polled[i]);
    }
  }

  void attend(const pollfd& ready) {
    const auto [source, party] = source_of(ready.fd);
    switch (source) {
      case Source::none:
        return;
      case Source::handoff:
        return attach(ready.fd, party);
      case Source::connection:
        finish(ready.fd);
        return drop(ready.fd);
      case Source::listener:
        if ((ready.revents & POLLIN) == 0 || !serve(ready.fd, party)) drop(ready.fd);
    }
  }

  void attach(int end, const std::string& party) {
    auto listener = receive_listener(end);
    if (listener) {
      ioctl(listener->get(), SECCOMP_IOCTL_NOTIF_SET_FLAGS, kSyncWakeUp);  // older: no matter
      watch(Source::listener, std::move(*listener), party);
    } else if (!listener.error().fix.empty()) {
      failed(listener.error().text());
    }
    drop(end);
  }

  // False: the filter is no more.
  bool serve(int listener, const std::string& party) {
    seccomp_notif call{};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) {
      if (errno == ENOENT || errno == EINTR) return true;  // the thread was killed meanwhile
      failed(fmt::format("the witness lost a filter: {}", std::strerror(errno)));
      return false;
    }
    const auto read = read_call(call, processes);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call.id) != 0) return true;
    each(read, processes, party);  // before the call goes on: its socket may be closed in a moment
    auto ruling = rule(call, read);
    if (ruling.kind == Ruling::Kind::pending)
      await(listener, call.id, std::move(ruling.socket));
    else
      answer(listener, call.id, ruling);
    return true;
  }

  Ruling rule(const seccomp_notif& call, const WitnessedCall& read) {
    if (asks_for_vsock(call.data)) return {Ruling::Kind::answered, EAFNOSUPPORT, {}};
    return judge ? judge(call, read, processes) : Ruling{};
  }

  static void answer(int listener, std::uint64_t id, const Ruling& ruling) {
    seccomp_notif_resp response{};
    response.id = id;
    if (ruling.kind == Ruling::Kind::go_on)
      response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else
      response.error = -ruling.error;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }

  void await(int listener, std::uint64_t id, subject::FileDescriptor socket) {
    const int number = socket.get();
    waiting.insert_or_assign(number, Waiting{listener, id});
    watch(Source::connection, std::move(socket));
  }

  // The listener's number may be another's by now: the id is then not known there.
  void finish(int socket) {
    const auto at = waiting.find(socket);
    if (at == waiting.end()) return;
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    answer(at->second.listener, at->second.id, {Ruling::Kind::answered, error, {}});
    waiting.erase(at);
  }
};

Supervisor::Supervisor(OnCall each, OnFailure failed, Judge judge)
    : state_(std::make_unique<State>()) {
  state_->each = std::move(each);
  state_->failed = std::move(failed);
  state_->judge = std::move(judge);
}

Supervisor::~Supervisor() {
  stop();
}

Result<> Supervisor::start() {
  state_->woken = subject::FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!state_->woken.valid())
    return fail(Fault::instrument,
                fmt::format("the witness got no descriptor: {}", std::strerror(errno)),
                "raise the limit of open files (ulimit -n)");
  state_->running = true;
  state_->thread = std::thread([state = state_.get()] { state->run(); });
  return {};
}

void Supervisor::adopt(subject::FileDescriptor handoff, std::string party) {
  state_->watch(Source::handoff, std::move(handoff), std::move(party));
}

void Supervisor::stop() {
  if (!state_->thread.joinable()) return;
  {
    const std::lock_guard lock(state_->mutex);
    state_->running = false;
    eventfd_write(state_->woken.get(), 1);
  }
  state_->thread.join();
  state_->sources.clear();
}

}  // namespace telltale::catcher
