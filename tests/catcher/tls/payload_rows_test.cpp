#include "catcher/tls/payload_rows.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

using namespace telltale::catcher;
using telltale::test::contains;

namespace {

Sighting hello_to(const std::string& host, TlsPayload payload, const std::string& refusal = "") {
  Sighting sighting;
  sighting.observer = "answerer";
  sighting.launch = 1;
  sighting.phase = "drive";
  sighting.protocol = "tcp";
  sighting.host = host;
  sighting.port = 443;
  sighting.executable = "/usr/bin/asks";
  sighting.server_name = host;
  sighting.tls = payload;
  sighting.tls_reason = refusal;
  return sighting;
}

telltale::evidence::LaneRecord record_of(std::vector<Sighting> sightings) {
  telltale::evidence::LaneRecord record;
  add_payload_rows(merge(std::move(sightings)).attempts, record);
  return record;
}

}  // namespace

TEST_CASE("a hello that was not read: payload unseen, with its name and how to look") {
  const auto record = record_of({hello_to("a.example", TlsPayload::unseen)});
  REQUIRE(record.limits.size() == 1);
  CHECK(record.limits[0].what ==
        "a.example:443, /usr/bin/asks: payload unseen (SNI a.example); --read-tls reads it in a "
        "launch of its own");
  CHECK(record.rows.empty());
}

TEST_CASE("what was read in one launch was seen; what was never TLS is not spoken of") {
  CHECK(record_of(
            {hello_to("a.example", TlsPayload::unseen), hello_to("a.example", TlsPayload::read)})
            .limits.empty());
  CHECK(record_of({hello_to("a.example", TlsPayload::none)}).limits.empty());
}

TEST_CASE("a refusal is a row and a limit, though other connections were read") {
  const auto record = record_of({hello_to("a.example", TlsPayload::read),
                                 hello_to("a.example", TlsPayload::refused, "alert: unknown CA"),
                                 hello_to("b.example", TlsPayload::read)});
  REQUIRE(record.rows.size() == 1);
  CHECK(record.rows[0].name() == "refused the run's CA (pinned or own store)");
  CHECK(contains(record.rows[0].note(), "/usr/bin/asks: alert: unknown CA"));
  REQUIRE(record.limits.size() == 1);
  CHECK(contains(record.limits[0].what, "payload unseen: it refused the run's CA"));
}

TEST_CASE("what a pass cannot read says why, and sends nobody to try it again") {
  auto quic = hello_to("a.example", TlsPayload::unseen);
  quic.protocol = "udp";
  CHECK(contains(record_of({quic}).limits.at(0).what, "it is QUIC"));
  const auto failed = record_of({hello_to("a.example", TlsPayload::unseen, "no shared cipher")});
  CHECK(failed.limits.at(0).what ==
        "a.example:443, /usr/bin/asks: payload unseen (SNI a.example): no shared cipher");
  CHECK(failed.rows.empty());
}

TEST_CASE("many destinations: some are named, and the rest counted") {
  std::vector<Sighting> many;
  for (int i = 0; i < 50; ++i)
    many.push_back(hello_to("h" + std::to_string(i) + ".example", TlsPayload::unseen));
  const auto record = record_of(many);
  CHECK(record.limits.size() == kPayloadLimits + 1);
  CHECK(record.limits.back().what == "payload unseen inside TLS: 30 more");
}
