#include "catcher/launch_comparison.hpp"

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

Attempt attempt(const std::string& host, std::set<int> launches,
                const std::string& protocol = "tcp") {
  Attempt made;
  made.host = host;
  made.port = 80;
  made.protocol = protocol;
  made.launches = std::move(launches);
  return made;
}

}  // namespace

TEST_CASE("a destination that one launch has and another has not is told") {
  const std::vector<Attempt> attempts = {
      attempt("first.example", {1}),        attempt("all.example", {1, 2}),
      attempt("all.example", {3}, "proxy"), attempt("proxy.example", {3}, "proxy"),
      attempt("direct.example", {1, 2}),    attempt("second.example", {2}),
      attempt("phase.example", {4}),        attempt("odd.example", {1, 3})};
  const LaunchComparison comparison({{1, 2}, 3}, attempts);
  CHECK(comparison.of(attempts[0]) == "only in the first launch");
  CHECK(comparison.of(attempts[1]).empty());
  CHECK(comparison.of(attempts[2]).empty());
  CHECK(comparison.of(attempts[3]) == "only with proxy variables");
  CHECK(comparison.of(attempts[4]) == "only without proxy variables");
  CHECK(comparison.of(attempts[5]) == "only in launches 2");
  CHECK(comparison.of(attempts[6]).empty());  // of a phase: not compared
  CHECK(comparison.of(attempts[7]) == "only in launches 1, 3");
  CHECK(comparison.rows().size() == 5);
}

TEST_CASE("launches that do the same, and one launch alone") {
  const std::vector<Attempt> attempts = {attempt("a.example", {1, 2})};
  const auto rows = LaunchComparison({{1, 2}, {}}, attempts).rows();
  REQUIRE(rows.size() == 1);
  CHECK(std::get<std::string>(rows[0].value()) == "no");
  CHECK(LaunchComparison({{1}, {}}, attempts).rows().empty());
  CHECK(LaunchComparison({{1}, {}}, attempts).of(attempts[0]).empty());
}
