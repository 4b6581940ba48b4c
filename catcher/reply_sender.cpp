#include "catcher/reply_sender.hpp"

#include <netinet/in.h>

#include <array>
#include <cstring>

namespace telltale::catcher {

namespace {

constexpr std::size_t kReplySockets = 64;  // kept open, one an address that was asked

// From the socket itself, whose port is right: the address is given with the packet.
void send_from(int socket, const Datagram& question, const std::vector<std::uint8_t>& answer) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(in6_pktinfo))> control{};
  iovec part{const_cast<std::uint8_t*>(answer.data()), answer.size()};
  msghdr message{};
  message.msg_name = const_cast<sockaddr_storage*>(&question.from);
  message.msg_namelen = question.from_length;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  auto* header = CMSG_FIRSTHDR(&message);
  if (question.from.ss_family == AF_INET) {
    in_pktinfo from{};
    from.ipi_spec_dst = reinterpret_cast<const sockaddr_in&>(question.to).sin_addr;
    header->cmsg_level = SOL_IP;
    header->cmsg_type = IP_PKTINFO;
    header->cmsg_len = CMSG_LEN(sizeof from);
    std::memcpy(CMSG_DATA(header), &from, sizeof from);
  } else {
    in6_pktinfo from{};
    sockaddr_storage six{};
    socklen_t length = 0;
    if (!to_address(endpoint_of(question.to), true, six, length)) return;
    from.ipi6_addr = reinterpret_cast<const sockaddr_in6&>(six).sin6_addr;
    header->cmsg_level = SOL_IPV6;
    header->cmsg_type = IPV6_PKTINFO;
    header->cmsg_len = CMSG_LEN(sizeof from);
    std::memcpy(CMSG_DATA(header), &from, sizeof from);
  }
  message.msg_controllen = header->cmsg_len;
  sendmsg(socket, &message, 0);
}

}  // namespace

// A socket that sends from the address and port that were asked; -1 when it cannot be had.
int ReplySender::socket_for(const Datagram& question, const Endpoint& asked) {
  const auto key = text(asked);
  if (const auto known = sockets_.find(key); known != sockets_.end()) return known->second.get();
  const int family = question.to.ss_family;
  const bool six = family == AF_INET6;
  subject::FileDescriptor made(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int one = 1;
  // Where it is refused (no CAP_NET_ADMIN, an ordinary network), an address of this machine
  // still binds.
  setsockopt(made.get(), six ? SOL_IPV6 : SOL_IP, six ? IPV6_TRANSPARENT : IP_TRANSPARENT, &one,
             sizeof one);
  setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(made.get(), reinterpret_cast<const sockaddr*>(&question.to),
           six ? sizeof(sockaddr_in6) : sizeof(sockaddr_in)) != 0)
    return -1;
  if (sockets_.size() >= kReplySockets) sockets_.clear();
  return sockets_.emplace(key, std::move(made)).first->second.get();
}

void ReplySender::send(int socket, const std::vector<std::uint8_t>& answer,
                       const Datagram& question) {
  const auto asked = endpoint_of(question.to);
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  getsockname(socket, reinterpret_cast<sockaddr*>(&own), &length);
  if (endpoint_of(own).port == asked.port) return send_from(socket, question, answer);
  sockaddr_storage to{};
  if (!to_address(endpoint_of(question.from), question.to.ss_family == AF_INET6, to, length))
    return;
  sendto(socket_for(question, asked), answer.data(), answer.size(), 0,
         reinterpret_cast<const sockaddr*>(&to), length);
}

}  // namespace telltale::catcher
