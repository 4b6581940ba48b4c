#include "catcher/closed_messages.hpp"

#include <fmt/core.h>
#include <libmnl/libmnl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace telltale::catcher {

namespace {

constexpr int kEventBuffer = 16 * 1024 * 1024;  // bytes; without privilege net.core.rmem_max

int take_protocol(const nlattr* attribute, void* protocol) {
  if (mnl_attr_get_type(attribute) == INET_DIAG_PROTOCOL)
    *static_cast<std::uint8_t*>(protocol) = mnl_attr_get_u8(attribute);
  return MNL_CB_OK;
}

// Of INET_DIAG_PROTOCOL; 0 when it is not there.
std::uint8_t protocol_of(const nlmsghdr* header) {
  std::uint8_t protocol = 0;
  mnl_attr_parse(header, sizeof(inet_diag_msg), take_protocol, &protocol);
  return protocol;
}

bool join_groups(int socket) {
  for (const int group : {SKNLGRP_INET_TCP_DESTROY, SKNLGRP_INET_UDP_DESTROY,
                          SKNLGRP_INET6_TCP_DESTROY, SKNLGRP_INET6_UDP_DESTROY})
    if (setsockopt(socket, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) != 0)
      return false;
  return true;
}

void take_messages(const char* bytes, std::size_t size,
                   const std::function<void(const RawSocket&)>& each) {
  int left = static_cast<int>(size);
  for (auto* header = reinterpret_cast<const nlmsghdr*>(bytes); mnl_nlmsg_ok(header, left);
       header = mnl_nlmsg_next(header, &left))
    if (header->nlmsg_type == SOCK_DIAG_BY_FAMILY &&
        mnl_nlmsg_get_payload_len(header) >= sizeof(inet_diag_msg))
      each(to_raw_socket(*static_cast<const inet_diag_msg*>(mnl_nlmsg_get_payload(header)),
                         protocol_of(header)));
}

}  // namespace

subject::FileDescriptor subscribe_to_closed_sockets() {
  subject::FileDescriptor made(
      socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  if (!made.valid() || bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return {};
  if (setsockopt(made.get(), SOL_SOCKET, SO_RCVBUFFORCE, &kEventBuffer, sizeof kEventBuffer) != 0)
    setsockopt(made.get(), SOL_SOCKET, SO_RCVBUF, &kEventBuffer, sizeof kEventBuffer);
  if (!join_groups(made.get())) return {};
  return made;
}

Result<ClosedMessages> ClosedMessages::subscribe() {
  auto socket = subscribe_to_closed_sockets();
  if (socket.valid()) return ClosedMessages(std::move(socket));
  return fail(Fault::instrument,
              fmt::format("no messages of closed sockets: {}", std::strerror(errno)),
              "the kernel needs INET_DIAG, and CAP_NET_ADMIN over that network");
}

ClosedMessages::Read ClosedMessages::read_all(const std::function<void(const RawSocket&)>& each) {
  Read read;
  for (;;) {
    const auto bytes = recv(socket_.get(), buffer_.data(), buffer_.size(), 0);
    if (bytes > 0) {
      take_messages(buffer_.data(), static_cast<std::size_t>(bytes), each);
      read.some = true;
    } else if (bytes < 0 && errno == ENOBUFS) {
      ++read.overruns;
    } else {
      return read;
    }
  }
}

}  // namespace telltale::catcher
