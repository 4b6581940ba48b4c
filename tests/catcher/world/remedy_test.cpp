#include "catcher/world/remedy.hpp"

#include <cerrno>

#include "support/catch.hpp"

using namespace telltale;
using catcher::namespace_remedy;
using test::Holds;

TEST_CASE("a refusal names what was refused, and what to do") {
  const auto limit = catcher::namespace_refused("a user namespace", ENOSPC);
  CHECK(limit.fault == Fault::instrument);
  CHECK(limit.what ==
        "the sealed world cannot be made: a user namespace was refused: No space left on device");
  CHECK_THAT(limit.fix, Holds("sysctl user.max_user_namespaces"));
  CHECK_FALSE(catcher::namespace_refused("a user namespace", EPERM).fix.empty());
}

TEST_CASE("a limit, a switch of the distribution and a security module are told apart") {
  catcher::Obstacles machine;
  machine.user_limit_zero = true;
  CHECK_THAT(namespace_remedy(machine, EPERM), Holds("sysctl user.max_user_namespaces"));
  machine = {};
  machine.unprivileged_off = true;
  CHECK_THAT(namespace_remedy(machine, EPERM), Holds("sysctl kernel.unprivileged_userns_clone=1"));
  machine.root = true;  // the switch is not for root
  CHECK_THAT(namespace_remedy(machine, EPERM), Holds("CAP_SYS_ADMIN"));
  machine.sys_admin = true;
  CHECK_THAT(namespace_remedy(machine, EPERM), Holds("pivot_root"));
  machine = {};
  machine.no_kernel_support = true;
  CHECK_THAT(namespace_remedy(machine, EINVAL), Holds("CONFIG_USER_NS"));
  CHECK_THAT(namespace_remedy({}, EACCES), Holds("apparmor=unconfined"));
}

TEST_CASE("each container is told in its own words") {
  catcher::Obstacles machine;
  for (const auto* engine : {"docker", "podman"}) {
    machine.container = engine;
    CHECK_THAT(namespace_remedy(machine, EPERM), Holds("--security-opt seccomp=unconfined"));
    CHECK_THAT(namespace_remedy(machine, EPERM), Holds("--cap-add NET_ADMIN"));
  }
  machine.container = "kubernetes";
  CHECK_THAT(namespace_remedy(machine, EPERM), Holds("procMount: Unmasked"));
  machine.container = "lxc";
  CHECK_THAT(namespace_remedy(machine, EPERM), Holds("security.nesting=true"));
  machine.container = "";
  machine.seccomp = true;
  CHECK_THAT(namespace_remedy(machine, EPERM), Holds("RestrictNamespaces=no"));
}

TEST_CASE("the text of a profile for AppArmor is given, for the folder of this tool") {
  catcher::Obstacles machine;
  machine.apparmor = true;
  machine.program = "/opt/telltale/bin/egress";
  const auto remedy = namespace_remedy(machine, EPERM);
  CHECK_THAT(remedy, Holds("/etc/apparmor.d/telltale"));
  CHECK_THAT(remedy, Holds("apparmor_parser -r"));
  CHECK_THAT(remedy, Holds("profile telltale /opt/telltale/bin/{egress,telltale} "
                           "flags=(unconfined) {\n      userns,\n    }\n"));
}

TEST_CASE("a /proc that is refused is another matter than namespaces") {
  CHECK_THAT(catcher::proc_refused("mounting proc on /proc", EPERM).fix,
             Holds("systempaths=unconfined"));
  CHECK_THAT(catcher::proc_refused("mounting proc on /proc", ENOSPC).fix, Holds("sysctl"));
}
