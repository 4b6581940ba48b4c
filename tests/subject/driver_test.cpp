#include "subject/driver.hpp"

#include <unistd.h>

#include <csignal>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/catch.hpp"
#include "support/fake_launch.hpp"
#include "support/plain_sockets.hpp"
#include "support/scripted_server.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::Connection;
using test::ok;
using test::ScriptedServer;

namespace {

using Targets = std::vector<std::string>;

// Answers by path: /login gives a token and a cookie, /bad is 500, all else says what it was asked.
class Subject {
 public:
  Subject() : server_([this](Connection& connection) { serve(connection); }) {}

  [[nodiscard]] std::string url(const std::string& path) const { return server_.url(path); }
  [[nodiscard]] Targets asked() {
    const std::lock_guard lock(mutex_);
    Targets all;
    for (const auto& request : requests_) all.push_back(request.substr(0, request.find(" HTTP")));
    return all;
  }
  [[nodiscard]] std::string last() {
    const std::lock_guard lock(mutex_);
    return requests_.back();
  }

 private:
  void serve(Connection& connection) {
    // Each door has a connection of its own, and this server serves one at a time.
    const auto request = connection.request();
    if (request.empty()) return;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    if (request.starts_with("GET /login"))
      connection.send(
          ok(R"({"access_token":"t1"})", "Set-Cookie: sid=s1\r\nConnection: close\r\n"));
    else if (request.starts_with("GET /bad"))
      connection.send("HTTP/1.1 500 No\r\nContent-Length: 4\r\nConnection: close\r\n\r\noops");
    else
      connection.send(ok("fine", "Connection: close\r\n"));
  }

  std::mutex mutex_;
  std::vector<std::string> requests_;
  ScriptedServer server_;
};

Step http(const std::string& name, const std::string& url) {
  Step step;
  step.name = name;
  HttpCall call;
  call.url = url;
  call.headers = {{"Authorization", "Bearer ${token}"}};
  step.call = std::move(call);
  return step;
}

struct Drive {
  Subject subject;
  Specification specification;
  test::FakeLaunch launch;
  test::PlainSockets enclosure;
  Interruption interruption;

  Drive() {
    launch.values.set("token", "none");
    launch.values.set("base", subject.url(""));
  }
  void door(const std::string& name, const std::string& path) {
    specification.doors.push_back(http(name, "${base}" + path));
  }
  Driver open(const std::string& phase = {}) {
    return Driver::open(specification, launch, enclosure, phase).value();
  }
};

}  // namespace

TEST_CASE("each round calls every door once, in order", "[threads]") {
  Drive drive;
  drive.door("a", "/a");
  drive.door("b", "/b");
  auto driver = drive.open();
  REQUIRE(driver.rounds(2, drive.interruption));
  CHECK(drive.subject.asked() == Targets{"GET /a", "GET /b", "GET /a", "GET /b"});
  CHECK(driver.report().calls() == 4);
  CHECK(driver.report().failed() == 0);
  CHECK(driver.size() == 2);
  CHECK(driver.name(1) == "b");
}

TEST_CASE("each door's place is asked for once whether the subject answers there", "[threads]") {
  Drive drive;
  drive.door("a", "/a");
  std::vector<std::uint16_t> asked;
  drive.launch.whose = [&](const Peer& peer) -> Result<> {
    asked.push_back(peer.endpoint.port);
    return {};
  };
  auto driver = drive.open();
  REQUIRE(driver.rounds(3, drive.interruption));
  REQUIRE(asked.size() == 1);
  CHECK(drive.subject.url("") == "http://127.0.0.1:" + std::to_string(asked.front()));
}

TEST_CASE("an answer of somebody else is a failed drive, and a failed step", "[threads]") {
  Drive drive;
  drive.door("a", "/a");
  drive.launch.whose = [](const Peer&) { return fail(Fault::subject, "answered by nginx"); };
  auto driver = drive.open();
  REQUIRE(driver.rounds(2, drive.interruption));
  CHECK(driver.report().failed() == 2);
  CHECK(driver.report().doors.front().first_failure == "answered by nginx");
  const auto step = run_step(drive.specification.doors.front(), drive.launch, drive.enclosure);
  REQUIRE_FALSE(step);
  CHECK(step.error().what == "a: answered by nginx");
}

TEST_CASE("a once door is called before the rounds, and the others use what it gave", "[threads]") {
  Drive drive;
  drive.door("rest", "/rest");
  drive.door("login", "/login");
  drive.specification.doors[1].once = true;
  drive.specification.doors[1].capture = {{"token", "/access_token"}};
  auto driver = drive.open();
  REQUIRE(driver.enter());
  REQUIRE(driver.rounds(2, drive.interruption));
  CHECK(drive.subject.asked() == Targets{"GET /login", "GET /rest", "GET /rest"});
  CHECK(drive.subject.last().find("Authorization: Bearer t1\r\n") != std::string::npos);
  CHECK(drive.subject.last().find("Cookie: sid=s1\r\n") != std::string::npos);
  CHECK(driver.size() == 1);
  CHECK(driver.report().doors.size() == 2);
  CHECK(driver.report().calls() == 3);
}

TEST_CASE("a once door that fails ends the drive", "[threads]") {
  Drive drive;
  drive.door("login", "/bad");
  drive.specification.doors[0].once = true;
  auto driver = drive.open();
  const auto entered = driver.enter();
  REQUIRE_FALSE(entered);
  CHECK(entered.error().fault == Fault::subject);
  CHECK(entered.error().what == "login: expected status 2xx, but got status 500, \"oops\"");
  CHECK(driver.report().failed() == 1);
}

TEST_CASE("a door that fails is counted and quoted, and the round goes on", "[threads]") {
  Drive drive;
  drive.door("bad", "/bad");
  drive.door("good", "/good");
  auto driver = drive.open();
  REQUIRE(driver.rounds(2, drive.interruption));
  const auto& doors = driver.report().doors;
  CHECK(doors[0].door == "bad");
  CHECK(doors[0].calls == 2);
  CHECK(doors[0].failed == 2);
  CHECK(doors[0].first_failure == "expected status 2xx, but got status 500, \"oops\"");
  CHECK(doors[1].calls == 2);
  CHECK(doors[1].failed == 0);
  CHECK(driver.report().failed() == 2);
}

TEST_CASE("a subject that died ends the rounds", "[threads]") {
  Drive drive;
  drive.door("bad", "/bad");
  auto driver = drive.open();
  drive.launch.alive = false;
  const auto driven = driver.rounds(5, drive.interruption);
  REQUIRE_FALSE(driven);
  CHECK(driven.error().fault == Fault::subject);
  CHECK(driven.error().what ==
        "the subject ended with exit status 1 (while it was driven; bad: expected status 2xx, but "
        "got status 500, \"oops\")");
  CHECK(driver.report().calls() == 1);
}

TEST_CASE("a door that is written wrong ends the rounds as a mistake of the file", "[threads]") {
  Drive drive;
  drive.door("wrong", "/${nothing}");
  auto driver = drive.open();
  const auto driven = driver.rounds(1, drive.interruption);
  REQUIRE_FALSE(driven);
  CHECK(driven.error().fault == Fault::input);
  CHECK(driven.error().what.find("wrong: ") == 0);
  CHECK(driver.report().calls() == 0);
}

TEST_CASE("an interruption ends the rounds", "[threads]") {
  Drive drive;
  drive.door("a", "/a");
  auto driver = drive.open();
  kill(getpid(), SIGINT);
  const auto driven = driver.rounds(1000, drive.interruption);
  REQUIRE_FALSE(driven);
  CHECK(driven.error().fault == Fault::interrupted);
}

TEST_CASE("a door belongs to its phase, one without to every phase", "[threads]") {
  Drive drive;
  drive.door("all", "/all");
  drive.door("socket", "/socket");
  drive.specification.doors[1].phase = "socket";
  CHECK(drive.open().size() == 1);
  CHECK(drive.open("other").size() == 1);
  CHECK(drive.open("socket").size() == 2);
}

TEST_CASE("a timed call is judged and counted", "[threads]") {
  Drive drive;
  drive.door("good", "/good");
  drive.door("bad", "/bad");
  auto driver = drive.open();
  const auto good = driver.timed_call(0);
  REQUIRE(good);
  CHECK(*good > 0);
  const auto bad = driver.timed_call(1);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().what.find("bad: expected status 2xx") == 0);
  CHECK(driver.report().calls() == 2);
}

TEST_CASE("one step by itself", "[threads]") {
  Drive drive;
  auto step = http("write 1", "${base}/login");
  step.capture = {{"token", "/access_token"}};
  REQUIRE(run_step(step, drive.launch, drive.enclosure));
  CHECK(*drive.launch.values.find("token") == "t1");
  CHECK(run_step(http("write 2", "${base}/x"), drive.launch, drive.enclosure)->body == "fine");
  CHECK(drive.subject.last().find("Cookie: sid=s1\r\n") != std::string::npos);
  const auto bad = run_step(http("write 3", "${base}/bad"), drive.launch, drive.enclosure);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().what == "write 3: expected status 2xx, but got status 500, \"oops\"");
}

TEST_CASE("an interruption ends a call that is in progress", "[threads]") {
  ScriptedServer silent([](Connection& connection) { connection.wait_for_close(); });
  Drive drive;
  drive.launch.interrupt = drive.interruption.fd();
  drive.launch.values.set("base", silent.url(""));
  drive.door("hangs", "/");
  auto driver = drive.open();
  std::thread user([&] {
    while (silent.connections() == 0) std::this_thread::yield();
    kill(getpid(), SIGTERM);
  });
  const auto driven = driver.rounds(1, drive.interruption);
  user.join();
  REQUIRE_FALSE(driven);
  CHECK(driven.error().fault == Fault::interrupted);
  CHECK(driver.report().failed() == 0);
  CHECK(run_step(drive.specification.doors[0], drive.launch, drive.enclosure).error().fault ==
        Fault::interrupted);
}
