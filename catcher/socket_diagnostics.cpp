#include "catcher/socket_diagnostics.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <libmnl/libmnl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "catcher/numeric_address.hpp"

namespace telltale::catcher {

namespace {

// sock_diag(7): states are bits; all of them, less TIME_WAIT and (UDP knows only two) the closed.
constexpr std::uint32_t kAllStates = 0xfff;
constexpr std::uint32_t kTcpStates = kAllStates & ~(1u << TCP_TIME_WAIT);

Endpoint endpoint(std::uint8_t family, const std::uint32_t* address, std::uint16_t port) {
  const auto* mapped = reinterpret_cast<const in6_addr*>(address);
  if (family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(mapped)) {
    family = AF_INET;
    address += 3;
  }
  return {numeric_address(family, address), port};
}

}  // namespace

std::string text(const Endpoint& endpoint) {
  const bool six = endpoint.address.find(':') != std::string::npos;
  return six ? fmt::format("[{}]:{}", endpoint.address, endpoint.port)
             : fmt::format("{}:{}", endpoint.address, endpoint.port);
}

Endpoint RawSocket::local_endpoint() const {
  return endpoint(family, local, local_port);
}
Endpoint RawSocket::peer_endpoint() const {
  return endpoint(family, peer, peer_port);
}

RawSocket to_raw_socket(const inet_diag_msg& message, std::uint8_t protocol) {
  RawSocket socket;
  socket.protocol = protocol;
  socket.family = message.idiag_family;
  socket.state = message.idiag_state;
  socket.local_port = ntohs(message.id.idiag_sport);
  socket.peer_port = ntohs(message.id.idiag_dport);
  std::memcpy(socket.local, message.id.idiag_src, sizeof socket.local);
  std::memcpy(socket.peer, message.id.idiag_dst, sizeof socket.peer);
  socket.inode = message.idiag_inode;
  socket.uid = message.idiag_uid;
  socket.cookie = std::uint64_t{message.id.idiag_cookie[1]} << 32 | message.id.idiag_cookie[0];
  return socket;
}

struct SocketDiagnostics::State {
  mnl_socket* socket = nullptr;
  std::vector<char> buffer = std::vector<char>(256 * 1024);
  std::uint32_t sequence = 0;
  std::uint64_t interrupted = 0;

  ~State() {
    if (socket != nullptr) mnl_socket_close(socket);
  }

  struct Visit {
    std::uint8_t protocol;
    const std::function<void(const RawSocket&)>& each;
  };

  static int on_message(const nlmsghdr* header, void* data) {
    const auto& visit = *static_cast<const Visit*>(data);
    const auto* message = static_cast<const inet_diag_msg*>(mnl_nlmsg_get_payload(header));
    visit.each(to_raw_socket(*message, visit.protocol));
    return MNL_CB_OK;
  }

  Result<> receive(const Visit& visit) {
    for (;;) {
      const auto bytes = mnl_socket_recvfrom(socket, buffer.data(), buffer.size());
      if (bytes < 0)
        return fail(Fault::instrument,
                    fmt::format("the kernel's socket dump failed: {}", std::strerror(errno)));
      const int more =
          mnl_cb_run(buffer.data(), static_cast<std::size_t>(bytes), sequence,
                     mnl_socket_get_portid(socket), on_message, const_cast<Visit*>(&visit));
      if (more < 0 && errno == EINTR) {
        ++interrupted;
        continue;
      }
      if (more < 0)
        return fail(Fault::instrument,
                    fmt::format("the kernel's socket dump failed: {}", std::strerror(errno)));
      if (more == MNL_CB_STOP) return {};
    }
  }

  Result<> send(const nlmsghdr* header) {
    if (mnl_socket_sendto(socket, header, header->nlmsg_len) < 0)
      return fail(Fault::instrument, fmt::format("asking the kernel for its sockets failed: {}",
                                                 std::strerror(errno)));
    return {};
  }

  nlmsghdr* begin(std::uint16_t type, std::array<char, 256>& request) {
    auto* header = mnl_nlmsg_put_header(request.data());
    header->nlmsg_type = type;
    header->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    header->nlmsg_seq = ++sequence;
    return header;
  }

  // IPv4 and IPv6 in one walk of the table: the first form of the request (linux/inet_diag.h,
  // struct inet_diag_req) stands for both families.
  Result<> dump_tcp(const std::function<void(const RawSocket&)>& each) {
    alignas(nlmsghdr) std::array<char, 256> request{};
    auto* header = begin(TCPDIAG_GETSOCK, request);
    auto* body =
        static_cast<inet_diag_req*>(mnl_nlmsg_put_extra_header(header, sizeof(inet_diag_req)));
    body->idiag_family = AF_INET;
    body->idiag_states = kTcpStates;
    if (auto sent = send(header); !sent) return sent;
    return receive({IPPROTO_TCP, each});
  }

  Result<> dump(std::uint8_t family, std::uint8_t protocol, std::uint32_t states,
                const std::function<void(const RawSocket&)>& each) {
    alignas(nlmsghdr) std::array<char, 256> request{};
    auto* header = begin(SOCK_DIAG_BY_FAMILY, request);
    auto* body = static_cast<inet_diag_req_v2*>(
        mnl_nlmsg_put_extra_header(header, sizeof(inet_diag_req_v2)));
    body->sdiag_family = family;
    body->sdiag_protocol = protocol;
    body->idiag_states = states;
    if (auto sent = send(header); !sent) return sent;
    return receive({protocol, each});
  }

  // One socket by its two ends (no NLM_F_DUMP): the answer is one message, or an error (ENOENT).
  Result<std::uint32_t> find(const inet_diag_sockid& id, std::uint8_t family = AF_INET,
                             std::uint8_t protocol = IPPROTO_TCP) {
    alignas(nlmsghdr) std::array<char, 256> request{};
    auto* header = begin(SOCK_DIAG_BY_FAMILY, request);
    header->nlmsg_flags = NLM_F_REQUEST;
    auto* body = static_cast<inet_diag_req_v2*>(
        mnl_nlmsg_put_extra_header(header, sizeof(inet_diag_req_v2)));
    body->sdiag_family = family;
    body->sdiag_protocol = protocol;
    body->idiag_states = kAllStates;
    body->id = id;
    if (auto sent = send(header); !sent) return pass_on(std::move(sent.error()));
    const auto bytes = mnl_socket_recvfrom(socket, buffer.data(), buffer.size());
    const auto* answer = reinterpret_cast<const nlmsghdr*>(buffer.data());
    if (bytes < 0 || answer->nlmsg_type == NLMSG_ERROR) return 0u;
    return static_cast<const inet_diag_msg*>(mnl_nlmsg_get_payload(answer))->idiag_inode;
  }
};

SocketDiagnostics::SocketDiagnostics(std::unique_ptr<State> state) : state_(std::move(state)) {}
SocketDiagnostics::SocketDiagnostics(SocketDiagnostics&&) noexcept = default;
SocketDiagnostics& SocketDiagnostics::operator=(SocketDiagnostics&&) noexcept = default;
SocketDiagnostics::~SocketDiagnostics() = default;

Result<SocketDiagnostics> SocketDiagnostics::open() {
  auto state = std::make_unique<State>();
  state->socket = mnl_socket_open2(NETLINK_SOCK_DIAG, SOCK_CLOEXEC);
  if (state->socket == nullptr || mnl_socket_bind(state->socket, 0, MNL_SOCKET_AUTOPID) < 0)
    return fail(Fault::instrument,
                fmt::format("no NETLINK_SOCK_DIAG socket: {}", std::strerror(errno)),
                "the kernel needs INET_DIAG, and a container must not filter AF_NETLINK");
  return SocketDiagnostics(std::move(state));
}

Result<> SocketDiagnostics::visit(const std::function<void(const RawSocket&)>& each) {
  if (auto done = state_->dump_tcp(each); !done) return done;
  return visit_udp(each);
}

Result<> SocketDiagnostics::visit_udp(const std::function<void(const RawSocket&)>& each) {
  for (const int family : {AF_INET, AF_INET6})
    if (auto done = state_->dump(static_cast<std::uint8_t>(family), IPPROTO_UDP, kAllStates, each);
        !done)
      return done;
  return {};
}

Result<std::uint32_t> SocketDiagnostics::inode_of(std::uint8_t protocol, const Endpoint& local,
                                                  const Endpoint& peer) {
  const bool six = local.address.find(':') != std::string::npos;
  const int family = six ? AF_INET6 : AF_INET;
  // A look-up of UDP takes the ends as a packet that arrives has them ("swapped for historical
  // reasons", net/ipv4/udp_diag.c).
  const bool swapped = protocol == IPPROTO_UDP;
  const auto& source = swapped ? peer : local;
  const auto& destination = swapped ? local : peer;
  inet_diag_sockid id{};
  id.idiag_sport = htons(source.port);
  id.idiag_dport = htons(destination.port);
  if (inet_pton(family, source.address.c_str(), id.idiag_src) != 1 ||
      inet_pton(family, destination.address.c_str(), id.idiag_dst) != 1)
    return 0u;
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return state_->find(id, static_cast<std::uint8_t>(family), protocol);
}

std::uint64_t SocketDiagnostics::interrupted() const {
  return state_->interrupted;
}

}  // namespace telltale::catcher
