#include "catcher/doctor/mechanisms.hpp"

#include <algorithm>

#include "catcher/doctor/apart.hpp"
#include "catcher/doctor/attempts.hpp"

namespace telltale::catcher {

namespace {

struct Mechanism {
  std::string_view name, serves;
  Need need;
  Result<std::string> (*attempt)();
};

// In the order in which a run needs them: the first that fails explains the others.
const Mechanism kMechanisms[] = {
    {"user namespace", "the subject has no right over its world", Need::sealed,
     attempts::user_namespace},
    {"network namespace", "no way out", Need::sealed, attempts::network_namespace},
    {"settings of a network", "low ports and ping for everybody inside", Need::sealed,
     attempts::network_settings},
    {"veth pair", "the only link, and where it leads", Need::sealed, attempts::veth_pair},
    {"nftables, tproxy", "every destination is answered", Need::sealed, attempts::redirection},
    {"PID and mount namespaces", "nothing outlives the run; daemons hidden", Need::sealed,
     attempts::processes_and_mounts},
    {"packet capture", "the tap", Need::sealed, attempts::packet_capture},
    {"SOCK_DIAG", "the sampler", Need::both, attempts::socket_dump},
    {"SOCK_DIAG destroy groups", "closed sockets", Need::sealed, attempts::destroy_groups},
    {"seccomp notification", "the witness", Need::both, attempts::notification},
    {"pidfd", "descriptors of another process", Need::both, attempts::descriptors_of_others},
    {"Landlock", "TCP held back without namespaces", Need::landlock, attempts::landlock},
    {"newuidmap", "an ordinary user's subject that changes its user", Need::some,
     attempts::all_ids},
    {"overlayfs", "home: overlay", Need::some, attempts::overlay},
    {"temporary folder", "every lane: programs may be started from it", Need::both,
     attempts::temporary_folder},
};

}  // namespace

std::vector<Examined> examine_mechanisms() {
  std::vector<Examined> examined;
  for (const auto& mechanism : kMechanisms)
    examined.push_back(
        {mechanism.name, mechanism.serves, mechanism.need, try_apart(mechanism.attempt)});
  return examined;
}

bool all_work(const std::vector<Examined>& examined, Need need) {
  return std::all_of(examined.begin(), examined.end(), [&](const Examined& one) {
    return one.outcome || (one.need != need && one.need != Need::both);
  });
}

}  // namespace telltale::catcher
