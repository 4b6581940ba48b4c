#include "catcher/landlock/broker.hpp"

#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include "catcher/serving.hpp"
#include "subject/listening.hpp"

namespace telltale::catcher {

namespace {

using namespace std::chrono_literals;

constexpr auto kArrivalPatience = 200ms;  // the answerer may accept before connect(2) has returned
constexpr std::size_t kKnownDestinations = 50'000;

Ruling answered(int error) {
  return {Ruling::Kind::answered, error, {}};
}

// Loopback, or an address of one of its interfaces. Not asked by bind(2): a machine may allow that
// for any address (net.ipv4.ip_nonlocal_bind).
bool of_this_machine(const std::string& address) {
  if (address.starts_with("127.") || address == "::1" || address == "0.0.0.0" || address == "::")
    return true;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return false;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(list, freeifaddrs);
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    const auto* own = entry->ifa_addr;
    if (own == nullptr || (own->sa_family != AF_INET && own->sa_family != AF_INET6)) continue;
    sockaddr_storage storage{};
    std::memcpy(&storage, own,
                own->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    if (endpoint_of(storage).address == address) return true;
  }
  return false;
}

std::vector<subject::ListeningSocket> listeners_of(const Scene& scene) {
  std::vector<subject::ProcessEntry> tree;
  for (const pid_t pid : scene.processes()) {
    subject::ProcessEntry entry;
    if (subject::read_process(pid, entry)) tree.push_back(entry);
  }
  return subject::listening_sockets(tree);
}

bool listens(const Scene& scene, const Endpoint& endpoint, bool udp) {
  if (!of_this_machine(endpoint.address)) return false;
  const auto all = listeners_of(scene);
  return std::any_of(all.begin(), all.end(), [&](const auto& one) {
    return one.port != 0 && one.port == endpoint.port && one.udp == udp;
  });
}

// The kernel lists a socket by the path as it was bound, which may be relative to any folder.
bool is_bound_at(const std::string& bound, const std::string& asked) {
  if (bound.empty() || bound == asked) return !bound.empty();
  if (bound.front() == '@' || asked.front() == '@') return false;
  if (bound.front() != '/') return asked.ends_with("/" + bound);
  std::error_code error;
  return std::filesystem::equivalent(bound, asked, error);
}

bool listens_at(const Scene& scene, const std::string& path) {
  const auto all = listeners_of(scene);
  return std::any_of(all.begin(), all.end(), [&](const auto& one) {
    return one.port == 0 && is_bound_at(one.address, path);
  });
}

bool below_folder(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

int domain_of(int socket) {
  int domain = 0;
  socklen_t size = sizeof domain;
  getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size);
  return domain;
}

Endpoint local_end(int socket) {
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  getsockname(socket, reinterpret_cast<sockaddr*>(&own), &length);
  return endpoint_of(own);
}

// What has no address of the internet; nothing: it has one.
std::optional<Ruling> rule_by_kind(const WitnessedAct& act) {
  constexpr auto kCryptography = "family 38";  // AF_ALG: the kernel's own, leads nowhere
  if (act.kind == "exec" || act.kind == "netlink" || act.kind == "32-bit call") return Ruling{};
  if (act.kind == "io_uring") return answered(ENOSYS);
  if (act.kind == "setns") return answered(EPERM);
  if (act.protocol == "vsock") return answered(EAFNOSUPPORT);
  if (act.kind != "socket") return std::nullopt;
  if (act.protocol == kCryptography) return Ruling{};
  return answered(act.protocol == "raw" || act.protocol == "packet" ? EPERM : EAFNOSUPPORT);
}

}  // namespace

void Broker::add_listener(const Endpoint& listener) {
  const std::lock_guard lock(mutex_);
  listeners_.insert({listener.address, listener.port});
}

bool Broker::is_listener(const Endpoint& endpoint) const {
  const std::lock_guard lock(mutex_);
  return listeners_.count({endpoint.address, endpoint.port}) != 0;
}

bool Broker::stays_inside(const Endpoint& endpoint) const {
  const std::lock_guard lock(mutex_);
  return inside_.count({endpoint.address, endpoint.port}) != 0;
}

bool Broker::is_own(const Endpoint& wanted, bool udp, const Scene& scene) {
  if (is_listener(wanted)) return true;
  if (!listens(scene, wanted, udp)) return false;
  const std::lock_guard lock(mutex_);
  inside_.insert({wanted.address, wanted.port});
  return true;
}

bool Broker::may_open(const std::string& path, const Scene& scene) const {
  return std::any_of(own_folders_.begin(), own_folders_.end(),
                     [&](const auto& folder) { return below_folder(path, folder); }) ||
         listens_at(scene, path);
}

Ruling Broker::rule(const seccomp_notif& call, const WitnessedCall& read, ProcessCache& processes,
                    const Scene& scene) {
  const bool connects = call.data.nr == SYS_connect;
  for (const auto& act : read.acts) {
    if (auto ruling = rule_by_kind(act)) {
      if (ruling->kind == Ruling::Kind::go_on) continue;
      return std::move(*ruling);
    }
    if (act.kind == "unix socket") {
      if (!may_open(act.host, scene)) return answered(ECONNREFUSED);
    } else if (connects) {
      return connect(call, act, processes, scene);
    } else if (act.kind != "datagram") {
      return answered(EOPNOTSUPP);  // TCP Fast Open: the program connects instead
    } else if (act.protocol != "udp" || !is_own({act.host, act.port}, true, scene)) {
      return answered(ENETUNREACH);
    }
  }
  return connects && read.acts.empty() && read.undecoded > 0 ? answered(EFAULT) : Ruling{};
}

Ruling Broker::connect(const seccomp_notif& call, const WitnessedAct& act, ProcessCache& processes,
                       const Scene& scene) {
  const bool udp = act.protocol == "udp";
  if (!udp && act.protocol != "tcp") return answered(ENETUNREACH);
  const auto* thread = processes.find(static_cast<pid_t>(call.pid));
  if (thread == nullptr) return answered(ESRCH);
  auto socket = thread->descriptor(static_cast<int>(call.data.args[0]));
  if (!socket.valid()) return answered(EBADF);
  const Endpoint wanted{act.host, act.port};
  constexpr std::uint16_t kDomainPort = 53;
  if (is_own(wanted, udp, scene)) return connect_to(wanted, wanted, udp, std::move(socket));
  const bool asks = act.port == kDomainPort;
  if (udp && !asks) return answered(ENETUNREACH);
  const auto& target = udp    ? targets_.resolver_udp
                       : asks ? targets_.resolver_tcp
                              : targets_.answerer;
  return connect_to(target, wanted, udp, std::move(socket));
}

// Never waits: for one that would, the socket is made non-blocking for the moment. Its thread is
// held in this very call, and nobody else has a use for a socket that is not connected.
Ruling Broker::connect_to(const Endpoint& target, const Endpoint& wanted, bool udp,
                          subject::FileDescriptor socket) {
  const bool six = domain_of(socket.get()) == AF_INET6;
  const int zero = 0;
  if (six && target.address.find(':') == std::string::npos)
    setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
  sockaddr_storage address{};
  socklen_t length = 0;
  if (!to_address(target, six, address, length)) return answered(EINVAL);
  const int flags = fcntl(socket.get(), F_GETFL);
  const bool waits = (flags & O_NONBLOCK) == 0;
  if (waits) fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK);
  const int result = ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), length);
  const int error = result == 0 ? 0 : errno;
  if (waits) fcntl(socket.get(), F_SETFL, flags);
  if (!(target == wanted) && (error == 0 || error == EINPROGRESS))
    remember(local_end(socket.get()), wanted, udp);
  if (error == EINPROGRESS && waits) return {Ruling::Kind::pending, 0, std::move(socket)};
  return answered(error);
}

void Broker::remember(const Endpoint& client, const Endpoint& wanted, bool udp) {
  const std::lock_guard lock(mutex_);
  if (destinations_.size() >= kKnownDestinations) destinations_.clear();
  destinations_.insert_or_assign({udp, client.port}, wanted);
  added_.notify_all();
}

std::optional<Endpoint> Broker::destination_of(const Endpoint& client, bool udp) {
  std::unique_lock lock(mutex_);
  const std::pair key{udp, client.port};
  added_.wait_for(lock, kArrivalPatience, [&] { return destinations_.count(key) != 0; });
  const auto at = destinations_.find(key);
  if (at == destinations_.end()) return std::nullopt;
  auto wanted = at->second;
  if (!udp) destinations_.erase(at);
  return wanted;
}

}  // namespace telltale::catcher
