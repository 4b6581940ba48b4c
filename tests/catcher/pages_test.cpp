#include "catcher/pages.hpp"

#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::catcher;

namespace {

constexpr auto kBrowser = "/usr/lib/chromium/chromium";

Attempt attempt(const std::string& host, const std::string& executable,
                std::set<std::string> phases) {
  Attempt one;
  one.host = host;
  one.port = 443;
  one.protocol = "tcp";
  one.executable = executable;
  one.phases = std::move(phases);
  return one;
}

// One page door, whose page asked for these.
subject::DriveReport asked(std::vector<subject::PageRequest> requests) {
  subject::DriveReport report;
  report.doors.push_back({"home", 1, 0, {}, false, kBrowser, std::move(requests)});
  return report;
}

}  // namespace

TEST_CASE("what about:blank showed and no page asked for is the browser's, the rest a page's") {
  Pages pages({"home"}, true);
  pages.heard(asked({{"GET", "https://cdn.example/x.js"}, {"GET", "https://both.example/"}}));
  std::vector<Attempt> attempts = {attempt("cdn.example", kBrowser, {"drive"}),
                                   attempt("both.example", kBrowser, {"browser", "drive"}),
                                   attempt("update.example", kBrowser, {"browser", "drive"}),
                                   attempt("hint.example", kBrowser, {"drive"}),
                                   attempt("cdn.example", "/usr/bin/site", {"drive"}),
                                   attempt("late.example", "/usr/bin/site", {"browser"})};
  CHECK(pages.puzzled_by(attempts));
  CHECK_FALSE(pages.puzzled_by({attempts[0], attempts[1], attempts[2], attempts[4]}));
  const auto own = pages.sort_out(attempts);
  REQUIRE(own.size() == 1);
  CHECK(own[0].host == "update.example");
  REQUIRE(attempts.size() == 5);
  CHECK(attempts[0].executable == "page \"home\"");
  CHECK(attempts[0].requests == std::set<std::string>{"GET https://cdn.example/x.js"});
  CHECK(attempts[1].executable == "page \"home\"");
  CHECK(attempts[2].executable == "page \"home\"");
  CHECK(attempts[3].executable == "/usr/bin/site");
  CHECK(attempts[4].executable == "/usr/bin/site");
}

TEST_CASE("a browser that no door opened is a program like any other") {
  std::vector<Attempt> attempts = {attempt("update.example", kBrowser, {"browser"})};
  CHECK(Pages().sort_out(attempts).empty());
  CHECK(attempts.size() == 1);
}

TEST_CASE("pages that were not opened are not looked at") {
  subject::DriveReport html;
  html.doors.push_back({"front", 1, 0, {}, true, {}, {}});
  Pages none;
  CHECK(none.unopened().empty());
  none.heard(html);
  REQUIRE(none.unopened().size() == 1);
  CHECK(none.unopened()[0].key == "pages");
  CHECK(none.unopened()[0].what.find("\"front\" answers with HTML") != std::string::npos);
  Pages opened({"home"}, true);
  opened.heard(html);
  CHECK(opened.unopened().empty());
  CHECK(Pages({"home"}, false).unopened().size() == 1);
}

TEST_CASE("the host of a URL, as an attempt names it") {
  CHECK(host_of("https://CDN.example/x?y=http://other.example") == "cdn.example");
  CHECK(host_of("wss://live.example:8443/feed") == "live.example");
  CHECK(host_of("http://user:word@host.example#top") == "host.example");
  CHECK(host_of("http://[2001:db8::1]:8080/") == "2001:db8::1");
  CHECK(host_of("http://host.example") == "host.example");
  CHECK(host_of("data:text/plain,x").empty());
}
