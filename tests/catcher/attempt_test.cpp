#include "catcher/attempt.hpp"

#include <fmt/core.h>

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

Sighting request(std::uint16_t client_port, int launch = 1) {
  Sighting sighting;
  sighting.observer = "proxy";
  sighting.at = telltale::evidence::Instant(std::chrono::seconds(1));
  sighting.launch = launch;
  sighting.phase = "start";
  sighting.protocol = "proxy";
  sighting.host = "telemetry.example";
  sighting.port = 443;
  sighting.method = "CONNECT";
  sighting.target = "telemetry.example:443";
  sighting.header_names = {"Host"};
  sighting.client_port = client_port;
  sighting.pid = 42;
  sighting.executable = "/usr/bin/notes";
  return sighting;
}

Sighting connection(std::uint16_t client_port, bool through_proxy, int launch = 1) {
  auto sighting = request(client_port, launch);
  sighting.observer = "sampler";
  sighting.protocol = "tcp";
  sighting.host = through_proxy ? "127.0.0.1" : "192.0.2.7";
  sighting.through_proxy = through_proxy;
  sighting.method.clear();
  sighting.target.clear();
  sighting.header_names.clear();
  return sighting;
}

}  // namespace

TEST_CASE("a request and the connection that carried it are one attempt, seen by both") {
  const auto merged = merge({request(5000), connection(5000, true)});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].count == 1);
  CHECK(merged.attempts[0].observers == std::set<std::string>{"proxy", "sampler"});
  CHECK(merged.unrecorded_by_proxy.empty());
}

TEST_CASE("a connection to the proxy without a record at the proxy is not swept under the rug") {
  const auto merged = merge({request(5000), connection(5001, true)});
  CHECK(merged.attempts.size() == 1);
  REQUIRE(merged.unrecorded_by_proxy.size() == 1);
  CHECK(merged.unrecorded_by_proxy[0].client_port == 5001);
}

TEST_CASE("a client port of another launch does not join") {
  const auto merged = merge({request(5000, 1), connection(5000, true, 2)});
  CHECK(merged.unrecorded_by_proxy.size() == 1);
}

TEST_CASE("a direct connection is an attempt of its own") {
  auto later = connection(5002, false);
  later.at += std::chrono::milliseconds(1);
  const auto merged = merge({later, request(5000)});
  REQUIRE(merged.attempts.size() == 2);
  CHECK(merged.attempts[1].destination() == "192.0.2.7:443");
}

TEST_CASE("acts with the same destination and program are counted, not repeated") {
  const auto merged = merge({request(5000, 1), request(5001, 1), request(5002, 2)});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].count == 3);
  CHECK(merged.attempts[0].launches == std::set<int>{1, 2});
  const auto finding = to_finding(merged.attempts[0], 1);
  CHECK(finding.id == "egress-1");
  CHECK(finding.what == "/usr/bin/notes asked the proxy for telemetry.example:443");
  CHECK(finding.where == "telemetry.example:443");
}

namespace {

Sighting answered() {
  Sighting sighting;
  sighting.observer = "answerer";
  sighting.at = telltale::evidence::Instant(std::chrono::seconds(1));
  sighting.launch = 1;
  sighting.phase = "start";
  sighting.protocol = "tcp";
  sighting.host = "example.com";
  sighting.address = "198.18.0.1";
  sighting.port = 443;
  sighting.said = "TLS hello, SNI example.com, ALPN h2";
  sighting.payload = 517;
  sighting.client_port = 5000;
  return sighting;
}

}  // namespace

TEST_CASE("a finding says what was said") {
  auto sighting = answered();
  sighting.executable = "/usr/bin/curl";
  sighting.pid = 7;
  const auto finding = to_finding(merge({sighting}).attempts.at(0), 1);
  CHECK(finding.what ==
        "tcp example.com:443 by /usr/bin/curl: TLS hello, SNI example.com, ALPN h2");
  CHECK(finding.where == "example.com:443");
}

TEST_CASE("the name from one observer and the program from another meet in one attempt") {
  auto sampled = connection(5000, false);
  sampled.host = "198.18.0.1";
  const auto merged = merge({answered(), sampled});
  REQUIRE(merged.attempts.size() == 1);
  const auto& attempt = merged.attempts[0];
  CHECK(attempt.host == "example.com");
  CHECK(attempt.executable == "/usr/bin/notes");
  CHECK(attempt.addresses == std::set<std::string>{"198.18.0.1"});
  CHECK(attempt.payload == 517);
}

TEST_CASE("a program that was seen ending, by its name alone, is the one that others knew") {
  auto late = connection(5000, false);
  late.executable = "[notes]";
  auto witnessed = connection(5000, false);
  witnessed.observer = "witness";
  for (const auto& both : {std::vector{late, witnessed}, std::vector{witnessed, late}}) {
    const auto merged = merge(both);
    REQUIRE(merged.attempts.size() == 1);
    CHECK(merged.attempts[0].executable == "/usr/bin/notes");
  }
}

TEST_CASE("the program of another connection is not lent") {
  const auto merged = merge({answered(), connection(5001, false)});
  CHECK(merged.attempts.size() == 2);
}

TEST_CASE("the questions for one name are one attempt") {
  auto four = answered();
  four.protocol = "dns";
  four.port = 53;
  four.address = "192.0.2.53";
  four.said = "DNS question A";
  auto six = four;
  six.said = "DNS question AAAA";
  six.count = 4;
  const auto merged = merge({four, six});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].count == 5);
  CHECK(to_finding(merged.attempts[0], 1).what ==
        "unknown program asked for the name example.com: DNS question A; DNS question AAAA");
}

TEST_CASE("what saw a call to the proxy without its port saw the request of that program") {
  auto without_port = connection(0, true);
  without_port.observer = "witness";
  auto of_another = without_port;
  of_another.observer = "sampler";
  of_another.executable = "/usr/bin/other";
  const auto merged = merge({request(5000), without_port, of_another});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].observers == std::set<std::string>{"proxy", "witness"});
  CHECK(merged.unrecorded_by_proxy.empty());
}

TEST_CASE("a unix socket is a remark, and a daemon's an attempt, at its path") {
  auto asked = connection(0, false);
  asked.observer = "witness";
  asked.protocol = "unix";
  asked.kind = "unix socket";
  asked.host = "/tmp/own.sock";
  asked.port = 0;
  auto daemon = asked;
  daemon.kind = "unix daemon";
  daemon.host = "/run/daemon.sock";
  const auto merged = merge({asked, daemon});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].destination() == "/run/daemon.sock");
  CHECK(to_finding(merged.attempts[0], 1).what ==
        "/usr/bin/notes asked for the unix socket /run/daemon.sock of a process outside");
  REQUIRE(merged.remarks.size() == 1);
  CHECK(merged.remarks[0].host == "/tmp/own.sock");
}

TEST_CASE("what was read of a datagram is of the one program that sent there") {
  auto sent = connection(0, false);
  sent.protocol = "udp";
  sent.kind = "datagram";
  auto read = sent;
  read.observer = "datagrams";
  read.pid = 0;
  read.executable.clear();
  read.said = "5 bytes, \"hello\"";
  read.payload = 5;
  auto merged = merge({sent, read});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].said == std::set<std::string>{read.said});
  CHECK(merged.attempts[0].payload == 5);
  auto second = sent;
  second.executable = "/usr/bin/other";
  merged = merge({sent, second, read});
  REQUIRE(merged.attempts.size() == 2);
  CHECK(merged.attempts[0].said.empty());
}

TEST_CASE("attempts are in the order of their time, whatever the order in which they were told") {
  std::vector<Sighting> told;
  for (const int minute : {4, 1, 3, 0, 2, 5}) {
    auto one = connection(0, false);
    one.host = fmt::format("192.0.2.{}", minute);
    one.at += std::chrono::minutes(minute);
    told.push_back(one);
  }
  const auto merged = merge(told);
  REQUIRE(merged.attempts.size() == 6);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(merged.attempts[i].host == fmt::format("192.0.2.{}", i));
}

TEST_CASE("what no witness saw is perhaps by the io_uring of the program that made one") {
  auto ring = connection(0, false);
  ring.observer = "witness";
  ring.protocol = ring.kind = "io_uring";
  ring.host.clear();
  auto nobody = connection(5000, false);
  nobody.observer = "answerer";
  nobody.pid = 0;
  nobody.executable.clear();
  const auto merged = merge({ring, nobody});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].executable == "unknown program, by io_uring perhaps /usr/bin/notes");
  CHECK(merged.remarks.empty());
  nobody.launch = 2;
  CHECK(merge({ring, nobody}).attempts[0].executable == "unknown program");
}

TEST_CASE(
    "packets that no witness saw are perhaps of who made a datagram socket; streams are not") {
  auto made = connection(0, false);
  made.observer = "witness";
  made.protocol = "udp";
  made.kind = "datagram socket";
  made.host.clear();
  auto nobody = connection(5000, false);
  nobody.observer = "datagrams";
  nobody.protocol = "udp";
  nobody.pid = 0;
  nobody.executable.clear();
  const auto merged = merge({made, nobody});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].executable ==
        "unknown program, by datagram socket perhaps /usr/bin/notes");
  CHECK(merged.remarks.empty());
  auto ring = made;
  ring.kind = "io_uring";
  CHECK(merge({made, ring, nobody}).attempts[0].executable ==
        "unknown program, by io_uring perhaps /usr/bin/notes");
  nobody.protocol = "tcp";
  CHECK(merge({made, nobody}).attempts[0].executable == "unknown program");
}

TEST_CASE("packets without a program are of who had a socket with that peer") {
  auto peer = connection(0, false);
  peer.observer = "witness";
  peer.protocol = "udp";
  peer.kind = "udp connect";
  auto packet = peer;
  packet.observer = "tap";
  packet.kind.clear();
  packet.pid = 0;
  packet.executable.clear();
  auto merged = merge({peer, packet});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].executable == "/usr/bin/notes");
  CHECK(merged.attempts[0].observers == std::set<std::string>{"tap", "witness"});
  CHECK(merged.remarks.empty());

  auto known = packet;  // a program that sent there without a peer: it is nobody else's packet
  known.executable = "/usr/bin/other";
  merged = merge({peer, known});
  REQUIRE(merged.attempts.size() == 1);
  CHECK(merged.attempts[0].executable == "/usr/bin/other");
  merged = merge({peer});
  CHECK(merged.attempts.empty());
  CHECK(merged.remarks.size() == 1);
}
