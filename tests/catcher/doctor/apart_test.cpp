#include "catcher/doctor/apart.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "support/catch.hpp"

using namespace telltale;
using catcher::try_apart;
using test::Holds;

TEST_CASE("what an attempt says comes back, and what it did does not") {
  setenv("TELLTALE_APART", "before", 1);
  const auto good = try_apart([]() -> Result<std::string> {
    setenv("TELLTALE_APART", "after", 1);
    return "ABI 7";
  });
  REQUIRE(good);
  CHECK(*good == "ABI 7");
  CHECK(std::string(getenv("TELLTALE_APART")) == "before");
  CHECK(try_apart([]() -> Result<std::string> { return ""; })->empty());
}

TEST_CASE("a fault comes back with its remedy, and an end by a signal is one") {
  const auto fault = try_apart([]() -> Result<std::string> {
    return fail(Fault::instrument, "it was refused", "line one\nline two");
  });
  REQUIRE_FALSE(fault);
  CHECK(fault.error().what == "it was refused");
  CHECK(fault.error().fix == "line one\nline two");
  const auto killed = try_apart([]() -> Result<std::string> {
    raise(SIGSYS);
    return "";
  });
  REQUIRE_FALSE(killed);
  CHECK_THAT(killed.error().what, Holds("SIGSYS"));
  CHECK_FALSE(try_apart([]() -> Result<std::string> { _exit(0); }));
}
