// TLS that the answerer reads: real clients of loopback, and the control of the pass.
#include <sys/wait.h>

#include <cstdlib>

#include "catcher/answerer.hpp"
#include "catcher/control_round.hpp"
#include "catcher/loopback.hpp"
#include "catcher/proving.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using catcher::Answerer;
using catcher::AnswerMode;
using catcher::Sighting;
using catcher::TlsPayload;
using test::comes_true;
using test::contains;
using test::Loopback;
using test::Proving;
using test::read_file;
using test::TemporaryFolder;

namespace {

// An answerer whose authority is trusted by who is told of its file: nothing is mounted here.
struct Reading {
  explicit Reading(AnswerMode mode = AnswerMode::accept_close)
      : answerer(proving.scene, names, plan(mode)) {
    proving.scene.set(1, "drive");
    REQUIRE(pass.begin());
    folder.write("root.pem", pass.authority());
    REQUIRE(answerer.start(*proving.enclosure));
  }

  catcher::AnswererPlan plan(AnswerMode mode) {
    catcher::AnswererPlan plan;
    plan.tcp = tcp.source();
    plan.mode = mode;
    plan.probes = {{"127.0.0.1", tcp.port}, {"::1", tcp.port}};
    plan.tls = &pass;
    return plan;
  }

  // `arguments` of curl, which asks https://a.example/PATH here; what it printed.
  std::string curl(const std::string& arguments) {
    const auto command = "curl -s -m 10 --connect-to ::127.0.0.1:" + std::to_string(tcp.port) +
                         " --cacert " + (folder / "root.pem").string() + " " + arguments + " >" +
                         (folder / "out").string();
    [[maybe_unused]] const int status = std::system(command.c_str());
    return read_file(folder / "out");
  }
  Sighting first() {
    REQUIRE(comes_true([&] { return !answerer.sightings().empty(); }));
    return answerer.sightings().front();
  }

  Proving proving;
  catcher::NameTable names;
  Loopback tcp{SOCK_STREAM};
  TemporaryFolder folder;
  catcher::TlsPass pass{[](const auto&) { return Result<>(); }};
  Answerer answerer;
};

bool have_curl() {
  return test::require(test::have_program("curl"), "curl");
}

}  // namespace

TEST_CASE("a request inside TLS is one sighting, with what was said") {
  if (!have_curl()) return;
  Reading world;
  world.curl("--http1.1 -H 'X-Mine: secret-value' 'https://a.example/path?q=1'");
  const auto seen = world.first();
  CHECK(world.answerer.sightings().size() == 1);
  CHECK(seen.said == "GET https://a.example/path?q=1, read in TLS");
  CHECK(seen.tls == TlsPayload::read);
  CHECK(seen.server_name == "a.example");
  CHECK(seen.method == "GET");
  CHECK(seen.target == "https://a.example/path?q=1");
  CHECK(seen.header_names.back() == "X-Mine");  // its value is nowhere
}

TEST_CASE("HTTP/2 inside TLS is read and answered by the mode") {
  if (!have_curl()) return;
  Reading world(AnswerMode::http_500);
  CHECK(world.curl("-w '%{http_code} %{http_version}' -d a=b https://a.example/form") == "500 2");
  CHECK(world.first().said == "POST https://a.example/form over HTTP/2, read in TLS");
}

TEST_CASE("a client that does not trust the authority: refused, and the hello is told") {
  if (!have_curl()) return;
  Reading world;
  world.folder.write("root.pem", (*catcher::RunAuthority::make())->pem());
  world.curl("https://a.example/");
  const auto seen = world.first();
  CHECK(seen.tls == TlsPayload::refused);
  CHECK(seen.tls_reason == "alert: unknown CA");
  CHECK(contains(seen.said, "TLS hello, SNI a.example"));
  CHECK(seen.method.empty());
}

TEST_CASE("after the pass, TLS is what it was before: a hello") {
  if (!have_curl()) return;
  Reading world;
  REQUIRE(world.pass.end());
  world.curl("https://a.example/");
  CHECK(world.first().tls == TlsPayload::unseen);
}

TEST_CASE("a question over HTTPS is a sighting of its own") {
  if (!have_curl()) return;
  Reading world;
  world.curl("'https://a.example/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB'");
  const auto question = world.first();
  CHECK(world.answerer.sightings().size() == 2);
  CHECK(question.protocol == "dns");
  CHECK(question.host == "www.example.com");
  CHECK(question.said == "DNS question A over HTTPS");
}

TEST_CASE(
    "the control of the pass: both requests are read; without the authority it does not hold") {
  Reading world;
  const auto trusting = [&](const std::string& file) {
    return catcher::ControlCaller(*world.proving.enclosure, world.proving.scene, TELLTALE_CALLER,
                                  {{"PATH", "/usr/bin:/bin"}, {"CURL_CA_BUNDLE", file}}, "");
  };
  const auto prove = [&](const std::string& when, const std::string& file) {
    auto caller = trusting(file);
    catcher::ControlRound round(caller);
    world.answerer.ask(round);
    round.run();
    CHECK(world.answerer.control(when, round).held);
    return world.answerer.check_tls(when, round);
  };
  const auto control = prove("launch 2, before", (world.folder / "root.pem").string());
  CHECK(control.name == "TLS reading, launch 2, before");
  CHECK(control.held);
  CHECK(control.observed == "both read");
  const auto broken = prove(
      "launch 2, after", world.folder.write("other.pem", (*catcher::RunAuthority::make())->pem()));
  CHECK_FALSE(broken.held);
  CHECK(contains(broken.observed, "HTTP/1.1: not read"));
}
