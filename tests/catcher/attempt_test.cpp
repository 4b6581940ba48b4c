#include "catcher/attempt.hpp"

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

Sighting request(std::uint16_t client_port, int launch = 1) {
  Sighting sighting;
  sighting.observer = "proxy";
  sighting.at = telltale::evidence::now();
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
