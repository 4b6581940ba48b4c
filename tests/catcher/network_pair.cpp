#include "network_pair.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace telltale::test {

namespace {

subject::FileDescriptor new_network() {
  subject::FileDescriptor made;
  std::thread([&made] {
    if (unshare(CLONE_NEWNET) == 0)
      made = subject::FileDescriptor(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  }).join();
  return made;
}

Result<> shell(const std::string& commands) {
  if (std::system(("set -e; " + commands).c_str()) == 0) return {};
  return fail(Fault::instrument, "failed: " + commands);
}

}  // namespace

catcher::Within NetworkPair::within(int network) {
  return [network](const std::function<Result<>()>& work) {
    Result<> done;
    std::thread([&] {
      done = setns(network, CLONE_NEWNET) == 0 ? work() : fail(Fault::instrument, "setns failed");
    }).join();
    return done;
  };
}

std::optional<NetworkPair> NetworkPair::make() {
  NetworkPair pair;
  pair.subject_ = new_network();
  pair.world_ = new_network();
  if (!pair.subject_.valid() || !pair.world_.valid()) return std::nullopt;
  const auto other = fmt::format("/proc/{}/fd/{}", getpid(), pair.world_.get());
  const auto subject_made = pair.in_subject()([&] {
    return shell(
        "ip link set lo up; ip link add eth0 type veth peer name world0; "
        "ip link set world0 netns " +
        other +
        "; ip link set eth0 up; "
        "ip addr add 198.51.100.2/24 dev eth0; ip addr add 2001:db8:77::2/64 dev eth0 nodad; "
        "echo '0 0' >/proc/sys/net/ipv4/ping_group_range");
  });
  const auto world_made = pair.in_world()([&] {
    return shell(
        "ip link set lo up; ip link set world0 up; "
        "ip addr add 198.51.100.1/24 dev world0; ip addr add 2001:db8:77::1/64 dev world0 nodad; "
        "ip route add local default dev lo table main; ip -6 route add local default dev lo table "
        "main");
  });
  const auto routed = pair.in_subject()([&] {
    return shell(
        "ip route add default via 198.51.100.1; ip -6 route add default via 2001:db8:77::1");
  });
  if (!subject_made || !world_made || !routed) return std::nullopt;
  return pair;
}

}  // namespace telltale::test
