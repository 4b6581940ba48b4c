#include "catcher/launch_plan.hpp"

#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::catcher;

namespace {

subject::Specification specification(int launches, bool read_tls, bool phase) {
  subject::Specification made;
  made.egress.emplace();
  made.egress->launches = launches;
  made.egress->window = subject::Milliseconds(12'000);
  made.egress->read_tls = read_tls;
  if (phase) made.phases["socket"];
  return made;
}

std::vector<std::string> names(const std::vector<Start>& starts) {
  std::vector<std::string> all;
  for (const auto& start : starts) all.push_back(start.name());
  return all;
}

}  // namespace

TEST_CASE("plain launches, one with proxy variables, one a phase, one that reads TLS") {
  const auto all = specification(2, true, true);
  const auto starts = starts_of(all, ProxyVariables::one_more);
  CHECK(names(starts) ==
        std::vector<std::string>{"launch 1", "launch 2", "launch 3 (proxy variables)",
                                 "launch 4 (phase socket)", "launch 5 (TLS read)"});
  for (const auto& start : starts) {
    CHECK(start.proxy_variables == (start.number == 3));
    CHECK(start.reads_tls == (start.number == 5));
    CHECK((start.difference != nullptr) == (start.number == 4));
    CHECK(start.phase == (start.number == 4 ? "socket" : ""));
  }
  CHECK(
      launches_in_words(all, ProxyVariables::one_more) ==
      "12 s, 2 launches, 1 with proxy variables, 1 of a phase and 1 with TLS read by a CA of this "
      "run");
}

TEST_CASE("with proxy variables in every launch there is none more") {
  const auto two = specification(2, false, false);
  const auto starts = starts_of(two, ProxyVariables::every);
  REQUIRE(starts.size() == 2);
  CHECK((starts[0].proxy_variables && starts[1].proxy_variables));
  CHECK(launches_in_words(two, ProxyVariables::every) == "12 s, 2 launches");
  const auto phased = specification(1, false, true);
  CHECK(starts_of(phased, ProxyVariables::every)[1].proxy_variables);
  CHECK_FALSE(starts_of(phased, ProxyVariables::none)[1].proxy_variables);
  CHECK(launches_in_words(phased, ProxyVariables::none) == "12 s, 1 launch and 1 of a phase");
}

TEST_CASE("servers that were played are named, the first three of them") {
  CHECK(answered_in_words({}).empty());
  CHECK(answered_in_words({"a:80 by the file"}) == ", answered inside: a:80 by the file");
  CHECK(answered_in_words({"a", "b", "c", "d", "e"}) == ", answered inside: a, b, c and 2 more");
}
