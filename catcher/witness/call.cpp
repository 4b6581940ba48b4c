#include "catcher/witness/call.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "catcher/numeric_address.hpp"

namespace telltale::catcher {

namespace {

constexpr std::size_t kBatchLimit = 64;        // addresses of one sendmmsg that are looked at
constexpr std::uint64_t kBatchMaximum = 1024;  // UIO_MAXIOV: the kernel looks at no more

constexpr int kTypeBits = 0xf;  // less SOCK_NONBLOCK, SOCK_CLOEXEC

using Address = std::array<char, sizeof(sockaddr_storage)>;

std::string family_name(int family) {
  switch (family) {
    case AF_INET:
    case AF_INET6:
      return "raw";
    case AF_NETLINK:
      return "netlink";
    case AF_PACKET:
      return "packet";
    case AF_VSOCK:
      return "vsock";
    default:
      return fmt::format("family {}", family);
  }
}

std::string protocol_name(int type, int protocol) {
  if (type == SOCK_RAW) return "raw";
  if (protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP) return "tcp";
  if (protocol == IPPROTO_UDP) return "udp";
  if (protocol == IPPROTO_ICMP || protocol == IPPROTO_ICMPV6) return "icmp";
  return fmt::format("protocol {}", protocol);
}

class Reader {
 public:
  Reader(const seccomp_notif& call, const WitnessedThread& thread, WitnessedCall& into)
      : call_(call), thread_(thread), into_(into) {}

  void read() {
    switch (call_.data.nr) {
      case SYS_connect:
        return address(true, argument(0), argument(1), argument(2));
      case SYS_sendto:
        return address(false, argument(0), argument(4), argument(5));
      case SYS_sendmsg:
        return message(argument(0), argument(1));
      case SYS_sendmmsg:
        return messages(argument(0), argument(1), argument(2));
      case SYS_socket:
      case SYS_socketpair:
        return made_socket(int_argument(0), int_argument(1) & kTypeBits, int_argument(2));
      case SYS_setns:
        return enter_namespace();
      case SYS_io_uring_setup:
        return add({"io_uring", "io_uring"});
      case SYS_execve:
        return add({"exec", "exec", text(argument(0))});
      case SYS_execveat:
        return add({"exec", "exec", text(argument(1))});
      default:
        return;
    }
  }

  // What was read may be of another thread, or of a program that this one no longer is.
  [[nodiscard]] bool stale() const { return stale_ || !(proved_ || thread_.lives()); }

 private:
  [[nodiscard]] std::uint64_t argument(int number) const { return call_.data.args[number]; }
  [[nodiscard]] int int_argument(int number) const { return static_cast<int>(argument(number)); }
  void add(WitnessedAct act) { into_.acts.push_back(std::move(act)); }

  bool copy(std::uint64_t from, void* to, std::size_t size) {
    const auto bytes = thread_.read(from, to, size);
    stale_ = stale_ || bytes == 0;
    return bytes == size;
  }

  std::string text(std::uint64_t from) {
    std::array<char, PATH_MAX> buffer{};
    const auto bytes = thread_.read(from, buffer.data(), buffer.size() - 1);
    stale_ = stale_ || bytes == 0;
    return std::string(buffer.data());
  }

  [[nodiscard]] std::string link(const std::string& name) const {
    std::array<char, PATH_MAX> path{};
    const auto length =
        readlink(fmt::format("/proc/{}/{}", call_.pid, name).c_str(), path.data(), path.size() - 1);
    return std::string(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  }

  void message(std::uint64_t socket, std::uint64_t from) {
    msghdr header{};
    if (!copy(from, &header, sizeof header)) return unreadable();
    if (header.msg_name != nullptr)
      address(false, socket, reinterpret_cast<std::uint64_t>(header.msg_name), header.msg_namelen);
  }

  void messages(std::uint64_t socket, std::uint64_t from, std::uint64_t count) {
    const auto looked_at = std::min<std::uint64_t>(count, kBatchLimit);
    into_.undecoded += std::min(count, kBatchMaximum) - looked_at;
    for (std::uint64_t i = 0; i < looked_at; ++i)
      message(socket, from + i * sizeof(mmsghdr) + offsetof(mmsghdr, msg_hdr));
  }

  // By what the descriptor is: "net:[4026531840]", "anon_inode:[pidfd]".
  void enter_namespace() {
    const auto name = link(fmt::format("fd/{}", int_argument(0)));
    add({"setns", "namespace", name.empty() ? "a namespace" : name});
  }

  void made_socket(int family, int type, int protocol) {
    if (type == SOCK_DGRAM && family == AF_UNIX) return add({"datagram socket", "unix"});
    if (type == SOCK_DGRAM && (family == AF_INET || family == AF_INET6))
      return add({"datagram socket", protocol == 0 ? "udp" : protocol_name(type, protocol)});
    const auto name = family_name(family);
    add({family == AF_NETLINK ? "netlink" : "socket", name, name + " socket"});
  }

  void unreadable() { ++into_.undecoded; }

  void address(bool connects, std::uint64_t socket, std::uint64_t from, std::uint64_t size) {
    if (from == 0) return;
    Address bytes{};
    const auto length = std::min<std::size_t>(size, bytes.size());
    if (length < sizeof(sa_family_t) || !copy(from, bytes.data(), length)) return unreadable();
    sa_family_t family = 0;
    std::memcpy(&family, bytes.data(), sizeof family);
    switch (family) {
      case AF_INET:
      case AF_INET6:
        return internet(connects, static_cast<int>(socket), family, bytes);
      case AF_UNIX:
        return unix_socket({bytes.data(), length});
      case AF_VSOCK:
        return vsock(bytes);
      default:  // AF_UNSPEC: a disconnect; AF_NETLINK: to the kernel; AF_PACKET: its socket was
                // seen
        return;
    }
  }

  void internet(bool connects, int socket, int family, const Address& bytes) {
    WitnessedAct act;
    if (family == AF_INET) {
      const auto* four = reinterpret_cast<const sockaddr_in*>(bytes.data());
      act.host = numeric_address(AF_INET, &four->sin_addr);
      act.port = ntohs(four->sin_port);
    } else {
      const auto* six = reinterpret_cast<const sockaddr_in6*>(bytes.data());
      const bool mapped = IN6_IS_ADDR_V4MAPPED(&six->sin6_addr);
      act.host = mapped ? numeric_address(AF_INET, six->sin6_addr.s6_addr + 12)
                        : numeric_address(AF_INET6, &six->sin6_addr);
      act.port = ntohs(six->sin6_port);
    }
    int type = 0;
    ask_socket(socket, type, act);
    if (act.protocol == "icmp" || act.protocol == "raw") act.port = 0;
    if (type == SOCK_DGRAM && connects)
      act.kind = "udp connect";
    else if (type != SOCK_STREAM)
      act.kind = "datagram";
    add(std::move(act));
  }

  // The address alone does not say whether it is TCP: the socket does, through a duplicate of it.
  void ask_socket(int number, int& type, WitnessedAct& act) {
    const auto socket = thread_.descriptor(number);
    int protocol = 0;
    socklen_t size = sizeof type;
    socklen_t cookie_size = sizeof act.cookie;
    proved_ = socket.valid();
    if (!proved_ || getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
      act.protocol = "unknown protocol";
      return;
    }
    getsockopt(socket.get(), SOL_SOCKET, SO_PROTOCOL, &protocol, &size);
    getsockopt(socket.get(), SOL_SOCKET, SO_COOKIE, &act.cookie, &cookie_size);
    act.protocol = protocol_name(type, protocol);
  }

  void unix_socket(std::string_view bytes) {
    auto path = bytes.substr(offsetof(sockaddr_un, sun_path));
    if (path.empty()) return;
    if (path[0] == '\0') return add({"unix socket", "unix", "@" + std::string(path.substr(1))});
    std::string name(path.substr(0, path.find('\0')));
    if (name[0] != '/') {
      const auto folder = link("cwd");
      name = (folder == "/" ? "" : folder) + "/" + name;
    }
    add({"unix socket", "unix", std::move(name)});
  }

  void vsock(const Address& bytes) {
    const auto* address = reinterpret_cast<const sockaddr_vm*>(bytes.data());
    add({"", "vsock", fmt::format("cid {} port {}", address->svm_cid, address->svm_port)});
  }

  const seccomp_notif& call_;
  const WitnessedThread& thread_;
  WitnessedCall& into_;
  bool stale_ = false;   // its memory reads nothing
  bool proved_ = false;  // the thread lived after the reading
};

bool is_native(const seccomp_data& data) {
#if defined(__x86_64__)
  return data.arch == AUDIT_ARCH_X86_64 && data.nr < 0x40000000;
#else
  return data.arch == AUDIT_ARCH_AARCH64;
#endif
}

}  // namespace

WitnessedCall read_call(const seccomp_notif& call, ProcessCache& processes) {
  const auto thread_id = static_cast<pid_t>(call.pid);
  // Twice: memory that reads nothing is of a program that this process no longer is.
  for (int look = 0;; ++look) {
    WitnessedCall read;
    const auto* thread = processes.find(thread_id);
    if (thread == nullptr) {
      read.undecoded = 1;
      return read;
    }
    read.program = thread->program();
    if (!is_native(call.data)) {
      read.acts.push_back({"32-bit call", fmt::format("call {}", call.data.nr)});
      return read;
    }
    Reader reader(call, *thread, read);
    reader.read();
    const bool executes = call.data.nr == SYS_execve || call.data.nr == SYS_execveat;
    const bool stale = look == 0 && reader.stale();
    if (executes || stale) processes.forget(thread_id);
    if (!stale) return read;
  }
}

}  // namespace telltale::catcher
