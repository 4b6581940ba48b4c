#include "sweep/registries/go_settings.hpp"

#include <map>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/address.hpp"
#include "sweep/registries/table.hpp"
#include "sweep/says.hpp"

using namespace telltale;
using namespace telltale::sweep;

namespace {

GoSettings settings(const std::map<std::string, std::string>& variables) {
  return read_go_settings({[&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  }});
}

// "address" or "address|" for each.
std::string addresses(const std::string& goproxy) {
  const auto endpoints = parse_goproxy({goproxy, "the environment"});
  if (!endpoints) return "FAULT " + endpoints.error().what;
  std::string list;
  for (const auto& endpoint : endpoints->list)
    list += (list.empty() ? "" : " ") + endpoint.address + (endpoint.next_on_any_error ? "|" : "");
  for (const auto& note : endpoints->notes) list += " (" + note.substr(0, note.find(' ')) + ")";
  return list;
}

}  // namespace

TEST_CASE("GOPROXY: comma goes on when absent, bar on any error, direct and off are not followed") {
  CHECK(addresses("https://a.example") == "https://a.example");
  CHECK(addresses("https://a.example/,https://b.example/x") ==
        "https://a.example https://b.example/x");
  CHECK(addresses("https://a.example|https://b.example,direct") ==
        "https://a.example| https://b.example (\"direct\")");
  CHECK(addresses(" https://a.example , off , https://never.example") ==
        "https://a.example (\"off\")");
  CHECK(addresses("proxy.example/go") == "https://proxy.example/go");
  CHECK(addresses(",,https://a.example,,") == "https://a.example");
  CHECK(addresses("") == std::string(public_registry("go")->address) + " (\"direct\")");
}

TEST_CASE("GOPROXY that names nothing that could be asked") {
  CHECK(test::says(addresses("direct"), "FAULT"));
  CHECK(test::says(addresses("off"), "FAULT"));
  CHECK(test::says(addresses("file:///srv/proxy"), "FAULT an entry of GOPROXY is a file: address"));
  CHECK(test::says(addresses("https://me:secret@a.example"), "FAULT"));
  CHECK_FALSE(test::holds(addresses("https://me:secret@a.example"), "secret"));
}

TEST_CASE("the environment goes before the file that go env -w writes") {
  test::TemporaryFolder home;
  home.write(".config/go/env", "# ours\nGOPRIVATE=*.corp.example\nGOPROXY=https://file.example\n");
  const auto of_file = settings({{"HOME", home.path()}});
  CHECK(of_file.proxy.text == "https://file.example");
  CHECK(test::says(of_file.proxy.from, ".config/go/env"));
  CHECK(of_file.private_patterns.text == "*.corp.example");
  const auto of_environment = settings({{"HOME", home.path()}, {"GOPROXY", "https://env.example"}});
  CHECK(of_environment.proxy.text == "https://env.example");
  CHECK(of_environment.proxy.from == "the environment");
  CHECK(of_environment.private_patterns.text == "*.corp.example");
  CHECK(settings({{"HOME", home.path()}, {"GOENV", "off"}}).proxy.text.empty());
  CHECK(settings({{"GOENV", home / ".config/go/env"}}).proxy.text == "https://file.example");
  CHECK(settings({{"XDG_CONFIG_HOME", home / ".config"}}).proxy.text == "https://file.example");
  CHECK(settings({}).proxy.text.empty());
}

TEST_CASE("private patterns match a prefix of path elements") {
  CHECK(matches_patterns("corp.example", "corp.example"));
  CHECK(matches_patterns("corp.example", "corp.example/a/b"));
  CHECK(matches_patterns("corp.example/a", "corp.example/a/b"));
  CHECK(matches_patterns("*.corp.example", "git.corp.example/x"));
  CHECK(matches_patterns("x.example, *.corp.example", "git.corp.example/x"));
  CHECK(matches_patterns("corp.example/*/secret", "corp.example/a/secret/v2"));
  CHECK(matches_patterns("git[a-c].example", "gitb.example/x"));
  CHECK(matches_patterns("*", "anything.example/x"));
  CHECK_FALSE(matches_patterns("corp.example", "corp.example.org/x"));
  CHECK_FALSE(matches_patterns("corp.example/a", "corp.example/ab"));
  CHECK_FALSE(matches_patterns("corp.example/a/b", "corp.example/a"));
  CHECK_FALSE(matches_patterns("*.corp.example", "corp.example/x"));
  CHECK_FALSE(matches_patterns("", "corp.example"));
  CHECK_FALSE(matches_patterns(",", "corp.example"));
}

TEST_CASE("addresses of registries") {
  for (const auto* good : {"https://a.example", "http://127.0.0.1:8080/go", "https://[::1]:1/"})
    CHECK(checked_address(good, "--registry"));
  for (const auto* bad :
       {"", "a.example", "/srv/proxy", "file:///srv", "ftp://a.example", "https://",
        "https://me@a.example", "https://me:pw@a.example", "https://@a.example",
        "https://a.example/?x", "https://a.example/#x", "socks5://a.example"}) {
    INFO(bad);
    const auto checked = checked_address(bad, "--registry");
    REQUIRE_FALSE(checked);
    CHECK(checked.error().fault == Fault::input);
    CHECK_FALSE(checked.error().fix.empty());
    CHECK_FALSE(test::holds(checked.error().text(), "pw"));
  }
  CHECK(*checked_address("https://a.example/x//", "--registry") == "https://a.example/x");
  CHECK(host_of("https://a.example:443/x") == "a.example");
  CHECK(host_of("http://a.example:8080/x") == "a.example:8080");
  CHECK(host_of("none").empty());
}
