#include "subject/answered_by.hpp"

#include <unistd.h>

#include "launch/bench.hpp"
#include "support/scripted_server.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::Bench;
using test::Holds;
using test::ScriptedServer;

namespace {

// This test's own process is the foreign one.
std::string this_process() {
  return "is answered by process " + std::to_string(getpid());
}

Peer tcp(std::uint16_t port, const std::string& host = "127.0.0.1") {
  return {{host, port, {}}, 0};
}

}  // namespace

TEST_CASE("a subject answers where it listens", "[threads]") {
  Bench bench({"tcp:${port.api}", "unix:${work}/s.sock", "notify:READY=1", "pause"});
  bench.specification.ports = {"api"};
  const auto launch = bench.ready_by_notify().started();
  const auto port = static_cast<std::uint16_t>(std::stoi(*launch->variables().find("port.api")));
  const auto path = (launch->work() / "s.sock").string();
  CHECK(launch->answered(tcp(port)));
  CHECK(launch->answered({{{}, 0, path}, launch->pid()}));
  SECTION("a daemon's listen(2) was called by a process that is gone") {
    CHECK(launch->answered({{{}, 0, path}, 0}));
  }
  SECTION("at another address it does not listen") {
    const auto nobody = launch->answered(tcp(port, "::1"));
    REQUIRE_FALSE(nobody);
    CHECK_THAT(nobody.error().what, Holds("who answered is not known"));
  }
}

TEST_CASE("what another process answers is not the subject's", "[threads]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "foreign.sock";
  const auto nothing = [](test::Connection&) {};
  const ScriptedServer server(nothing), on_path(path, nothing);
  Bench bench({"notify:READY=1", "pause"});
  const auto launch = bench.ready_by_notify().started();
  const auto by_tcp = launch->answered(tcp(server.port()));
  REQUIRE_FALSE(by_tcp);
  CHECK(by_tcp.error().fault == Fault::subject);
  CHECK_THAT(by_tcp.error().what, Holds(this_process()) && Holds("none of the subject's"));
  const auto by_unix = launch->answered({{{}, 0, path.string()}, getpid()});
  REQUIRE_FALSE(by_unix);
  CHECK_THAT(by_unix.error().what, Holds(this_process()));
}

TEST_CASE("a port that another process answers makes no subject ready", "[threads]") {
  const ScriptedServer server([](test::Connection& connection) {
    while (!connection.request().empty()) connection.send(test::ok("fine"));
  });
  Bench bench({"pause"});
  auto& ready = bench.specification.ready;
  ready.timeout = Milliseconds(300);
  ready.kind = GENERATE(Readiness::Kind::tcp, Readiness::Kind::http);
  ready.target =
      ready.kind == Readiness::Kind::tcp ? std::to_string(server.port()) : server.url("/healthz");
  const auto error = bench.start_error();
  CHECK(error.fault == Fault::subject);
  CHECK_THAT(error.what, Holds("was not ready within") && Holds(this_process()));
}
