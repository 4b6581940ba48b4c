#include "catcher/world/user_namespace.hpp"

#include <cerrno>

#include "support/catch.hpp"

using namespace telltale;

TEST_CASE("a map gives every id of this namespace as itself") {
  CHECK(catcher::identity_map("         0          0 4294967295\n") == "0 0 4294967295\n");
  CHECK(catcher::identity_map("  1000 1000 1\n  5000 100000 65536\n") ==
        "1000 1000 1\n5000 5000 65536\n");
  CHECK(catcher::identity_map("").empty());
}

TEST_CASE("a refusal names what was refused, and what to do") {
  const auto limit = catcher::namespace_refused("a user namespace", ENOSPC);
  CHECK(limit.fault == Fault::instrument);
  CHECK(limit.what ==
        "the sealed world cannot be made: a user namespace was refused: No space left on device");
  CHECK_THAT(limit.fix, test::Holds("sysctl user.max_user_namespaces"));
  CHECK_FALSE(catcher::namespace_refused("a user namespace", EPERM).fix.empty());
}
