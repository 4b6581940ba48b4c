#include "catcher/world/netlink.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netinet/ether.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace telltale::catcher {

namespace {

struct NetworkAddress {
  unsigned char family = AF_INET;
  std::array<unsigned char, 16> bytes{};
  [[nodiscard]] std::size_t size() const { return family == AF_INET ? 4 : 16; }
};

NetworkAddress parse_address(const std::string& text) {
  NetworkAddress address;
  if (text.find(':') != std::string::npos) address.family = AF_INET6;
  inet_pton(address.family, text.c_str(), address.bytes.data());
  return address;
}

void put_address(nlmsghdr* message, std::uint16_t type, const NetworkAddress& address) {
  mnl_attr_put(message, type, address.size(), address.bytes.data());
}

void put_hardware(nlmsghdr* message, std::uint16_t type, const std::string& text) {
  ether_addr address{};
  ether_aton_r(text.c_str(), &address);
  mnl_attr_put(message, type, sizeof address, &address);
}

template <class Header>
Header* put_header(nlmsghdr* message) {
  return static_cast<Header*>(mnl_nlmsg_put_extra_header(message, sizeof(Header)));
}

int index_of(const std::string& link) {
  return static_cast<int>(if_nametoindex(link.c_str()));
}

}  // namespace

void Netlink::Close::operator()(mnl_socket* socket) const {
  mnl_socket_close(socket);
}

Result<Netlink> Netlink::open() {
  Socket socket(mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC));
  if (!socket || mnl_socket_bind(socket.get(), 0, MNL_SOCKET_AUTOPID) < 0)
    return fail(Fault::instrument,
                std::string("no netlink socket for the sealed world: ") + strerror(errno),
                "raise the limit of open files (ulimit -n)");
  return Netlink(std::move(socket));
}

Result<> Netlink::ask(const std::string& what, int type, int flags, const Fill& fill) {
  std::vector<char> buffer(static_cast<std::size_t>(MNL_SOCKET_BUFFER_SIZE));
  nlmsghdr* message = mnl_nlmsg_put_header(buffer.data());
  message->nlmsg_type = static_cast<std::uint16_t>(type);
  message->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
  fill(message);
  ssize_t size = mnl_socket_sendto(socket_.get(), message, message->nlmsg_len);
  if (size >= 0) size = mnl_socket_recvfrom(socket_.get(), buffer.data(), buffer.size());
  if (size >= 0)
    size = mnl_cb_run(buffer.data(), static_cast<std::size_t>(size), 0,
                      mnl_socket_get_portid(socket_.get()), nullptr, nullptr);
  if (size >= 0) return {};
  return fail(Fault::instrument,
              fmt::format("the sealed world cannot be made: {}: {}", what, strerror(errno)),
              "the kernel needs CONFIG_VETH and CONFIG_IPV6 (modprobe veth ipv6)");
}

Result<> Netlink::add_pair(const std::string& near, const std::string& near_hardware,
                           const std::string& far, const std::string& far_hardware,
                           int far_network) {
  return ask("the link " + near, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, [&](nlmsghdr* message) {
    put_header<ifinfomsg>(message);
    mnl_attr_put_strz(message, IFLA_IFNAME, near.c_str());
    put_hardware(message, IFLA_ADDRESS, near_hardware);
    nlattr* kind = mnl_attr_nest_start(message, IFLA_LINKINFO);
    mnl_attr_put_strz(message, IFLA_INFO_KIND, "veth");
    nlattr* data = mnl_attr_nest_start(message, IFLA_INFO_DATA);
    nlattr* peer = mnl_attr_nest_start(message, VETH_INFO_PEER);
    put_header<ifinfomsg>(message);
    mnl_attr_put_strz(message, IFLA_IFNAME, far.c_str());
    put_hardware(message, IFLA_ADDRESS, far_hardware);
    mnl_attr_put_u32(message, IFLA_NET_NS_FD, static_cast<std::uint32_t>(far_network));
    mnl_attr_nest_end(message, peer);
    mnl_attr_nest_end(message, data);
    mnl_attr_nest_end(message, kind);
  });
}

Result<> Netlink::set_up(const std::string& link) {
  return ask("bringing up " + link, RTM_NEWLINK, 0, [&](nlmsghdr* message) {
    auto* header = put_header<ifinfomsg>(message);
    header->ifi_index = index_of(link);
    header->ifi_flags = IFF_UP;
    header->ifi_change = IFF_UP;
  });
}

Result<> Netlink::add_address(const std::string& link, const std::string& address,
                              unsigned prefix) {
  return ask("the address " + address, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL,
             [&](nlmsghdr* message) {
               const auto parsed = parse_address(address);
               auto* header = put_header<ifaddrmsg>(message);
               header->ifa_family = parsed.family;
               header->ifa_prefixlen = static_cast<unsigned char>(prefix);
               header->ifa_index = static_cast<unsigned>(index_of(link));
               mnl_attr_put_u32(message, IFA_FLAGS, IFA_F_NODAD);
               put_address(message, IFA_LOCAL, parsed);
               put_address(message, IFA_ADDRESS, parsed);
             });
}

Result<> Netlink::add_neighbour(const std::string& link, const std::string& address,
                                const std::string& hardware) {
  return ask("the neighbour " + address, RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE,
             [&](nlmsghdr* message) {
               const auto parsed = parse_address(address);
               auto* header = put_header<ndmsg>(message);
               header->ndm_family = parsed.family;
               header->ndm_ifindex = index_of(link);
               header->ndm_state = NUD_PERMANENT;
               put_address(message, NDA_DST, parsed);
               put_hardware(message, NDA_LLADDR, hardware);
             });
}

Result<> Netlink::add_default_route(const std::string& link, const std::string& gateway) {
  return ask("the route by " + gateway, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL,
             [&](nlmsghdr* message) {
               const auto parsed = parse_address(gateway);
               auto* header = put_header<rtmsg>(message);
               header->rtm_family = parsed.family;
               header->rtm_table = RT_TABLE_MAIN;
               header->rtm_protocol = RTPROT_STATIC;
               header->rtm_scope = RT_SCOPE_UNIVERSE;
               header->rtm_type = RTN_UNICAST;
               put_address(message, RTA_GATEWAY, parsed);
               mnl_attr_put_u32(message, RTA_OIF, static_cast<std::uint32_t>(index_of(link)));
             });
}

// In the table main: with a rule and a table of its own, replies to ping were lost.
Result<> Netlink::add_local_default(const std::string& link, int family) {
  return ask("the route to everywhere", RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL,
             [&](nlmsghdr* message) {
               auto* header = put_header<rtmsg>(message);
               header->rtm_family = static_cast<unsigned char>(family);
               header->rtm_table = RT_TABLE_MAIN;
               header->rtm_protocol = RTPROT_STATIC;
               header->rtm_scope = RT_SCOPE_HOST;
               header->rtm_type = RTN_LOCAL;
               mnl_attr_put_u32(message, RTA_OIF, static_cast<std::uint32_t>(index_of(link)));
             });
}

}  // namespace telltale::catcher
