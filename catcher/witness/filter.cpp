#include "catcher/witness/filter.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace telltale::catcher {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kNativeArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kNativeArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the witness knows x86-64 and 64-bit ARM; add the AUDIT_ARCH of this machine"
#endif

static_assert(std::endian::native == std::endian::little, "halves of arguments are read by offset");

// Jumps of classic BPF only go forward, by at most 255. A label is the index of an instruction; the
// program is written down with labels and made relative once, at compile time.
enum Label : std::uint8_t {
  next = 0,
  skip = 1,
  allow = 250,
  notify = 251,
  foreign = 252,
  message = 253,
  making = 254
};

constexpr sock_filter load(std::size_t offset) {
  return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
}
constexpr sock_filter equal(std::uint32_t value, std::uint8_t yes, std::uint8_t no = next) {
  return {BPF_JMP | BPF_JEQ | BPF_K, yes, no, value};
}
constexpr sock_filter answer(std::uint32_t value) {
  return {BPF_RET | BPF_K, 0, 0, value};
}
constexpr sock_filter keep_only(std::uint32_t bits) {
  return {BPF_ALU | BPF_AND | BPF_K, 0, 0, bits};
}
constexpr std::size_t argument(int number) {
  return offsetof(seccomp_data, args) + static_cast<std::size_t>(number) * sizeof(std::uint64_t);
}

constexpr std::uint32_t kX32 = 0x40000000;  // set in the number of an x32 call

constexpr auto make_program(Trapped trapped) {
  const bool all = trapped == Trapped::every_message;
  constexpr std::uint32_t kType = 0xf;  // less SOCK_NONBLOCK, SOCK_CLOEXEC
  std::array program = {
    load(offsetof(seccomp_data, arch)),
    equal(kNativeArchitecture, next, foreign),
    load(offsetof(seccomp_data, nr)),
    sock_filter{BPF_JMP | BPF_JGE | BPF_K, notify, next, kX32},
    equal(SYS_connect, notify),
    equal(SYS_sendmmsg, notify),
    equal(SYS_io_uring_setup, notify),
    equal(SYS_setns, notify),
    equal(SYS_execve, notify),
    equal(SYS_execveat, notify),
    equal(SYS_sendto, next, message),
    load(argument(4)),
    equal(0, next, notify),
    load(argument(4) + 4),
    equal(0, allow, notify),
    equal(SYS_sendmsg, next, making),  // message:
    load(argument(2)),
    keep_only(MSG_NOSIGNAL | MSG_FASTOPEN),
    equal(MSG_NOSIGNAL, all ? std::uint8_t{notify} : std::uint8_t{allow}, notify),
    equal(SYS_socket, skip),  // making:
    equal(SYS_socketpair, next, allow),
    load(argument(1)),
    keep_only(kType),
    equal(SOCK_DGRAM, all ? std::uint8_t{next} : std::uint8_t{notify}),
    load(argument(0)),
    equal(AF_UNIX, allow),
    equal(AF_INET, skip),
    equal(AF_INET6, next, notify),
    load(argument(1)),
    keep_only(kType),
    equal(SOCK_DGRAM, allow),
    equal(SOCK_STREAM, allow, notify),
    load(offsetof(seccomp_data, nr)),  // foreign:
#if defined(__x86_64__)
    // The numbers of 32-bit x86 (asm/unistd_32.h): execve, socketcall, sendmmsg, setns, execveat,
    // socket, connect, sendto, sendmsg, io_uring_setup.
    equal(11, notify),
    equal(102, notify),
    equal(345, notify),
    equal(346, notify),
    equal(358, notify),
    equal(359, notify),
    equal(360, notify),
    equal(362, notify),
    equal(369, notify),
    equal(370, notify),
    equal(425, notify),
#endif
    answer(SECCOMP_RET_ALLOW),
    answer(SECCOMP_RET_USER_NOTIF),
  };
  constexpr std::size_t kMessage = 15;
  constexpr std::size_t kMaking = 19;
  constexpr std::size_t kForeign = 32;
  const auto relative = [&](std::uint8_t label, std::size_t at) {
    std::size_t to = at + 1;
    if (label == allow) to = program.size() - 2;
    if (label == notify) to = program.size() - 1;
    if (label == message) to = kMessage;
    if (label == making) to = kMaking;
    if (label == foreign) to = kForeign;
    return label >= allow ? static_cast<std::uint8_t>(to - at - 1) : label;
  };
  for (std::size_t at = 0; at < program.size(); ++at) {
    program[at].jt = relative(program[at].jt, at);
    program[at].jf = relative(program[at].jf, at);
  }
  return program;
}

constexpr auto kRarelyPaid = make_program(Trapped::rarely_paid);
constexpr auto kEveryMessage = make_program(Trapped::every_message);

long seccomp(unsigned flags, Trapped trapped) noexcept {
  const auto& instructions = trapped == Trapped::every_message ? kEveryMessage : kRarelyPaid;
  const sock_fprog program{static_cast<unsigned short>(instructions.size()),
                           const_cast<sock_filter*>(instructions.data())};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

}  // namespace

int install_witness_filter(Trapped trapped) noexcept {
  // WAIT_KILLABLE_RECV (Linux 5.19): a signal such as Go's SIGURG does not start the call again.
  unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (const long listener = seccomp(flags, trapped); listener >= 0)
      return static_cast<int>(listener);
    if (errno == EACCES)
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    else if (errno == EINVAL)
      flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    else
      break;
  }
  return -errno;
}

}  // namespace telltale::catcher
