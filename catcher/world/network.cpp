#include "catcher/world/network.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>

#include "catcher/world/in_namespace.hpp"
#include "catcher/world/netlink.hpp"
#include "catcher/world/remedy.hpp"
#include "catcher/world/sysctl.hpp"
#include "catcher/world/user_namespace.hpp"
#include "catcher/world/world.hpp"

namespace telltale::catcher {

namespace {

// Locally administered, unicast.
constexpr auto kSubjectHardware = "02:00:5e:00:77:02";
constexpr auto kWorldHardware = "02:00:5e:00:77:01";
constexpr unsigned kPrefix4 = 30;
constexpr unsigned kPrefix6 = 64;

Result<subject::FileDescriptor> new_network() {
  if (unshare(CLONE_NEWNET) != 0)
    return tl::make_unexpected(namespace_refused("a network namespace", errno));
  subject::FileDescriptor made(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  if (!made.valid()) return tl::make_unexpected(namespace_refused("a network namespace", errno));
  return made;
}

// Before the links: they take these as they come. No router is asked for, and no address is probed.
void quiet_ipv6() {
  for (const auto* name : {"accept_ra", "accept_dad", "dad_transmits", "router_solicitations"})
    try_sysctl(fmt::format("net/ipv6/conf/default/{}", name), "0");
}

// ping_group_range takes only groups that the user namespace has.
Result<> open_to_the_subject() {
  if (auto set = set_sysctl("net/ipv4/ip_unprivileged_port_start", "0"); !set) return set;
  try_sysctl("net/ipv4/tcp_tw_reuse", "1");
  const auto groups = mapped_groups();
  return set_sysctl("net/ipv4/ping_group_range", fmt::format("{} {}", groups.first, groups.last));
}

Result<Network> make_namespaces() {
  Network network;
  auto world = new_network();
  if (!world) return pass_on(std::move(world.error()));
  network.world = std::move(*world);
  try_sysctl("net/ipv4/tcp_child_ehash_entries", "1024");
  try_sysctl("net/ipv4/udp_child_hash_entries", "1024");
  try_sysctl("net/core/somaxconn", "65535");
  try_sysctl("net/ipv4/tcp_max_syn_backlog", "65535");
  quiet_ipv6();
  auto subject = new_network();
  if (!subject) return pass_on(std::move(subject.error()));
  network.subject = std::move(*subject);
  quiet_ipv6();
  if (auto open = open_to_the_subject(); !open) return pass_on(std::move(open.error()));
  return network;
}

// The far end of the pair is made, addressed and brought up from here, in W.
Result<> furnish_world(const Network& network) {
  auto netlink = Netlink::open();
  if (!netlink) return pass_on(std::move(netlink.error()));
  return netlink
      ->add_pair(kWorldLink, kWorldHardware, kSubjectLink, kSubjectHardware, network.subject.get())
      .and_then([&] { return netlink->set_up("lo"); })
      .and_then([&] { return netlink->add_address(kWorldLink, kWorldAddress4, kPrefix4); })
      .and_then([&] { return netlink->add_address(kWorldLink, kWorldAddress6, kPrefix6); })
      .and_then([&] { return netlink->set_up(kWorldLink); })
      .and_then(
          [&] { return netlink->add_neighbour(kWorldLink, kSubjectAddress4, kSubjectHardware); })
      .and_then(
          [&] { return netlink->add_neighbour(kWorldLink, kSubjectAddress6, kSubjectHardware); })
      .and_then([&] { return netlink->add_local_default("lo", AF_INET); })
      .and_then([&] { return netlink->add_local_default("lo", AF_INET6); });
}

Result<> furnish_subject() {
  auto netlink = Netlink::open();
  if (!netlink) return pass_on(std::move(netlink.error()));
  return netlink->set_up("lo")
      .and_then([&] { return netlink->add_address(kSubjectLink, kSubjectAddress4, kPrefix4); })
      .and_then([&] { return netlink->add_address(kSubjectLink, kSubjectAddress6, kPrefix6); })
      .and_then([&] { return netlink->set_up(kSubjectLink); })
      .and_then(
          [&] { return netlink->add_neighbour(kSubjectLink, kWorldAddress4, kWorldHardware); })
      .and_then(
          [&] { return netlink->add_neighbour(kSubjectLink, kWorldAddress6, kWorldHardware); })
      .and_then([&] { return netlink->add_default_route(kSubjectLink, kWorldAddress4); })
      .and_then([&] { return netlink->add_default_route(kSubjectLink, kWorldAddress6); });
}

}  // namespace

Result<Network> make_network() {
  auto network = make_namespaces();
  if (!network) return network;
  // In S already. The link comes from W, so that is furnished first.
  auto made =
      enter_network(network->world.get(), "the world's network")
          .and_then([&] { return furnish_world(*network); })
          .and_then([&] { return enter_network(network->subject.get(), "the subject's network"); })
          .and_then([] { return furnish_subject(); })
          .and_then([&] { return enter_network(network->world.get(), "the world's network"); });
  if (!made) return pass_on(std::move(made.error()));
  return network;
}

}  // namespace telltale::catcher
