#include "catcher/landlock/ruleset.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace telltale::catcher {

namespace {

// linux/landlock.h of Linux 6.12; Debian 12 declares the first member only.
struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};
constexpr std::uint64_t kConnectTcp = 1U << 1;
constexpr std::uint64_t kAbstractSockets = 1U << 0;
constexpr unsigned kAskForVersion = 1;
constexpr int kNetworkVersion = 4;
constexpr int kScopeVersion = 6;

}  // namespace

Result<int> landlock_version() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskForVersion);
  if (version >= kNetworkVersion) return static_cast<int>(version);
  if (version > 0)
    return fail(Fault::instrument,
                fmt::format("Landlock of this kernel (ABI {}) has no rules for networks", version),
                "Linux from 6.7 on is needed (ABI 4)");
  return fail(Fault::instrument, fmt::format("there is no Landlock here: {}", strerror(errno)),
              "Linux from 6.7 on is needed, with landlock among its security modules (boot "
              "parameter lsm=landlock,...); a container: --security-opt seccomp=unconfined");
}

Result<subject::FileDescriptor> make_ruleset() {
  const auto version = landlock_version();
  if (!version) return pass_on(version.error());
  RulesetAttributes attributes;
  attributes.network = kConnectTcp;
  if (*version >= kScopeVersion) attributes.scoped = kAbstractSockets;
  // An older kernel takes a shorter structure.
  const std::size_t size = *version >= kScopeVersion ? sizeof attributes : sizeof attributes - 8;
  subject::FileDescriptor made(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (made.valid()) return made;
  return fail(Fault::instrument, fmt::format("no Landlock ruleset: {}", strerror(errno)),
              "report this with the version of the kernel");
}

int restrict_to(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno;
}

}  // namespace telltale::catcher
