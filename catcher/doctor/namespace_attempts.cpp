#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "catcher/doctor/attempts.hpp"
#include "catcher/world/init.hpp"
#include "catcher/world/mounts.hpp"
#include "catcher/world/network.hpp"
#include "catcher/world/redirected_sockets.hpp"
#include "catcher/world/redirection.hpp"
#include "catcher/world/remedy.hpp"
#include "catcher/world/sysctl.hpp"
#include "catcher/world/user_namespace.hpp"
#include "catcher/world/world.hpp"

namespace telltale::catcher::attempts {

namespace {

Result<std::string> done(const Result<>& result, std::string detail = {}) {
  if (!result) return pass_on(result.error());
  return detail;
}

Result<Network> made_network() {
  return gain_namespaces().and_then([] { return make_network(); });
}

bool mount_overlay(const std::string& folder) {
  for (const auto* name : {"/lower", "/upper", "/work", "/merged"})
    if (mkdir((folder + name).c_str(), 0755) != 0) return false;
  const auto options =
      fmt::format("lowerdir={0}/lower,upperdir={0}/upper,workdir={0}/work,userxattr", folder);
  return mount("overlay", (folder + "/merged").c_str(), "overlay", 0, options.c_str()) == 0 &&
         std::ofstream(folder + "/merged/file").put('x').flush().good() &&
         access((folder + "/upper/file").c_str(), F_OK) == 0;
}

}  // namespace

Result<std::string> user_namespace() {
  const bool alone = geteuid() != 0;
  if (auto gained = gain_namespaces(); !gained) return pass_on(std::move(gained.error()));
  if (unshare(CLONE_NEWUSER) != 0)
    return tl::make_unexpected(namespace_refused("the subject's user namespace", errno));
  return alone ? "the tool's own, and the subject's within" : "the subject's";
}

Result<std::string> network_namespace() {
  return done(gain_namespaces().and_then([]() -> Result<> {
    if (unshare(CLONE_NEWNET) == 0) return {};
    return tl::make_unexpected(namespace_refused("a network namespace", errno));
  }));
}

Result<std::string> network_settings() {
  if (auto network = network_namespace(); !network) return network;
  return done(set_sysctl("net/ipv4/ip_unprivileged_port_start", "0"));
}

Result<std::string> veth_pair() {
  auto network = made_network();
  if (!network) return pass_on(std::move(network.error()));
  return "with addresses and routes, IPv4 and IPv6";
}

// The calling thread is in the world's network then.
Result<std::string> redirection() {
  auto network = made_network();
  if (!network) return pass_on(std::move(network.error()));
  RedirectedPorts ports;
  auto sockets = open_redirected_sockets(ports);
  if (!sockets) return pass_on(std::move(sockets.error()));
  return done(redirect(ports));
}

Result<std::string> processes_and_mounts() {
  auto network = made_network();
  if (!network) return pass_on(std::move(network.error()));
  auto mounts = plan_mounts({});
  if (!mounts) return pass_on(std::move(mounts.error()));
  auto init = start_init(network->subject.get(), *mounts, WorldPlan());
  if (!init) return pass_on(std::move(init.error()));
  const bool limited = init->process_limit_set;
  end_init(*init);
  return limited ? fmt::format("at most {} processes inside", WorldPlan().process_limit)
                 : "without a limit of processes (Linux 6.14)";
}

Result<std::string> all_ids() {
  if (auto gained = gain_namespaces(Ids::all); !gained) return pass_on(std::move(gained.error()));
  if (auto missing = missing_ids()) return fail(Fault::instrument, *missing);
  std::ifstream map("/proc/self/uid_map");
  const std::string first((std::istreambuf_iterator<char>(map)), {});
  return first.find('\n') + 1 == first.size() ? "root has every id" : "ids of /etc/subuid";
}

// On a tmpfs of its own: nothing of the machine's is written to.
Result<std::string> overlay() {
  if (auto gained = gain_namespaces(); !gained) return pass_on(std::move(gained.error()));
  if (unshare(CLONE_NEWNS) != 0)
    return tl::make_unexpected(namespace_refused("a mount namespace", errno));
  if (mount("none", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("telltale", "/tmp", "tmpfs", 0, "size=1m") != 0)
    return tl::make_unexpected(namespace_refused("a tmpfs", errno));
  if (mount_overlay("/tmp")) return std::string();
  return fail(Fault::instrument,
              fmt::format("an overlay in a user namespace was refused: {}", std::strerror(errno)),
              "a kernel from 5.11 on is needed, with overlayfs (modprobe overlay)");
}

}  // namespace telltale::catcher::attempts
