#include <nlohmann/json.hpp>

#include "subject/driver.hpp"
#include "support/catch.hpp"
#include "support/fake_launch.hpp"

using namespace telltale;
using namespace telltale::subject;

namespace {

Step door(Call call) {
  Step step;
  step.name = "door";
  step.call = std::move(call);
  return step;
}

Step http_door(const std::string& url) {
  HttpCall call;
  call.url = url;
  return door(call);
}

struct Case {
  Specification specification;
  test::FakeLaunch launch;

  Case() {
    launch.work_folder = "/w";
    launch.values.set("work", "/w");
    launch.values.set("port.api", "8080");
  }
  void listens(const std::string& address, std::uint16_t port = 0, bool udp = false) {
    launch.listening.push_back({address, port, udp, 7, "/bin/notes"});
  }
  std::vector<std::string> keys() {
    std::vector<std::string> all;
    for (const auto& one : undriven_listeners(specification, launch)) all.push_back(one.key);
    return all;
  }
};

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("a listener that nothing asks is named") {
  Case one;
  one.listens("0.0.0.0", 9000);
  const auto found = undriven_listeners(one.specification, one.launch);
  REQUIRE(found.size() == 1);
  CHECK(found[0].key == "listener:9000");
  CHECK(found[0].what == "0.0.0.0:9000 (/bin/notes) was never asked");
  CHECK(found[0].waived.empty());
}

TEST_CASE("a listener that was seen and is gone is named, once") {
  Case one;
  one.listens("0.0.0.0", 9000);
  const ListeningSocket gone{"127.0.0.1", 9001, false, 8, "/bin/notes"};
  const auto found =
      undriven_listeners(one.specification, one.launch, {one.launch.listening.front(), gone});
  REQUIRE(found.size() == 2);
  CHECK(found[0].what == "0.0.0.0:9000 (/bin/notes) was never asked");
  CHECK(found[1].what == "127.0.0.1:9001 (/bin/notes) was never asked");
}

TEST_CASE("two addresses of one port are one entry") {
  Case one;
  one.listens("0.0.0.0", 9000);
  one.listens("::", 9000);
  one.listens("::", 9000);  // another process that shares it
  const auto found = undriven_listeners(one.specification, one.launch);
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == "0.0.0.0:9000 (/bin/notes) and [::]:9000 (/bin/notes) were never asked");
}

TEST_CASE("what a door asks is driven") {
  Case one;
  one.listens("127.0.0.1", 8080);
  one.listens("127.0.0.1", 8081);
  CHECK(one.keys() == Keys{"listener:8080", "listener:8081"});
  SECTION("HTTP") {
    one.specification.doors = {http_door("http://127.0.0.1:${port.api}/x")};
  }
  SECTION("MCP") {
    McpCall call;
    call.url = "http://localhost:${port.api}/mcp";
    one.specification.doors = {door(call)};
  }
  SECTION("TCP, by name") {
    one.specification.doors = {door(TcpCall{"api", "x"})};
  }
  SECTION("TCP, by number") {
    one.specification.doors = {door(TcpCall{"8080", "x"})};
  }
  SECTION("in another phase") {
    one.specification.doors = {door(TcpCall{"api", "x"})};
    one.specification.doors[0].phase = "socket";
  }
  CHECK(one.keys() == Keys{"listener:8081"});
}

TEST_CASE("what the readiness check asks is driven") {
  Case one;
  one.listens("127.0.0.1", 8080);
  one.listens("/w/s.sock");
  auto& ready = one.specification.ready;
  SECTION("HTTP") {
    ready.kind = Readiness::Kind::http;
    ready.target = "http://127.0.0.1:${port.api}/healthz";
    CHECK(one.keys() == Keys{"listener:${work}/s.sock"});
  }
  SECTION("TCP") {
    ready.kind = Readiness::Kind::tcp;
    ready.target = "api";
    CHECK(one.keys() == Keys{"listener:${work}/s.sock"});
  }
  SECTION("a unix socket") {
    ready.kind = Readiness::Kind::unix_socket;
    ready.target = "${work}/s.sock";
    CHECK(one.keys() == Keys{"listener:8080"});
  }
}

TEST_CASE("a unix socket is known by its path, also one bound in the subject's folder") {
  Case one;
  one.listens("/w/a.sock");
  one.listens("./b.sock");
  one.listens("@abstract");
  one.listens("/w/c.sock");
  for (const char* path : {"${work}/a.sock", "${work}/b.sock", "@abstract"}) {
    UnixCall call;
    call.path = path;
    one.specification.doors.push_back(door(call));
  }
  CHECK(one.keys() == Keys{"listener:${work}/c.sock"});
}

TEST_CASE("what is only declared, or asked by a name that is not known, is not driven") {
  Case one;
  one.listens("127.0.0.1", 8080);
  one.specification.ports = {"api"};
  ExecCall command;
  command.command = {"notesctl", "127.0.0.1:8080"};
  one.specification.doors = {http_door("http://127.0.0.1:${port.none}/"), door(command)};
  CHECK(one.keys() == Keys{"listener:${port.api}"});
}

TEST_CASE("a UDP socket is never asked, even on a port that is") {
  Case one;
  one.listens("127.0.0.1", 8080);
  one.listens("127.0.0.1", 8080, true);
  one.specification.doors = {http_door("http://127.0.0.1:8080/")};
  const auto found = undriven_listeners(one.specification, one.launch);
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == "127.0.0.1:8080 (UDP) (/bin/notes) was never asked");
}
