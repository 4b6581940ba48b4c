#include "catcher/first_flight.hpp"

#include "catcher/wire/capture.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher;
using telltale::test::capture;
using telltale::test::each_truncation;
using telltale::test::from_hex;
using telltale::test::Octets;

TEST_CASE("first flights of real clients, each in a line") {
  const struct {
    const char *file, *said;
  } cases[] = {
      {"client_hello/curl.bin", "TLS hello, SNI curl.example, ALPN h2 http/1.1, TLS 1.3"},
      {"client_hello/curl-address.bin", "TLS hello, ALPN h2 http/1.1, TLS 1.3"},
      {"http1/curl-get.bin", "GET http://curl.example/path?q=1"},
      {"http1/node-fetch.bin", "POST http://127.0.0.1:"},
      {"http2/curl.bin", "GET http://curl.example/path over HTTP/2"},
  };
  for (const auto& one : cases) {
    INFO(one.file);
    const auto flight = read_first_flight(capture(one.file));
    CHECK(flight.known);
    CHECK(flight.complete);
    CHECK(flight.said.substr(0, std::string(one.said).size()) == one.said);
  }
}

TEST_CASE("half a flight is known for what it is, and not complete") {
  for (const auto* file : {"client_hello/go.bin", "http1/curl-get.bin"})
    each_truncation(capture(file),
                    [](const Octets& bytes) { CHECK_FALSE(read_first_flight(bytes).complete); });
  auto hello = capture("client_hello/curl.bin");
  hello.resize(300);
  CHECK(read_first_flight(hello).said.rfind("half a TLS hello, SNI curl.example", 0) == 0);
  const std::string line = "GET /" + std::string(5000, 'a');
  CHECK_THAT(read_first_flight(wire::as_bytes(line)).said,
             telltale::test::Holds("(cut), half a request"));
}

TEST_CASE("bytes of no known protocol are shown, and cannot forge a line") {
  const auto flight = read_first_flight(wire::as_bytes("PING\r\n\x1b[2J"));
  CHECK_FALSE(flight.known);
  CHECK(flight.said == "10 bytes, \"PING\\r\\n\\x1b[2J\"");
  CHECK(read_first_flight({}).said == "nothing");
  CHECK(read_first_flight(Octets(5000, 'x')).said.size() < 100);
}

TEST_CASE("a name of the subject's cannot forge one either") {
  auto hello = capture("client_hello/curl.bin");
  const std::string name = "curl.example";
  const auto at = std::search(hello.begin(), hello.end(), name.begin(), name.end());
  REQUIRE(at != hello.end());
  *at = '\n';
  CHECK(read_first_flight(hello).server_name == "\\nurl.example");
}

TEST_CASE("packets") {
  const auto stun = from_hex("000100002112a442000102030405060708090a0b");
  CHECK(describe_datagram(stun, 3478) == "STUN binding request");
  CHECK(describe_datagram(capture("dns/node-a.bin"), 5353) == "DNS question A node.example");
  Octets ntp(48);
  ntp[0] = 0x23;
  CHECK(describe_datagram(ntp, 123) == "NTP request");
  CHECK(describe_datagram(wire::as_bytes("M-SEARCH *"), 1900) == "10 bytes, \"M-SEARCH *\"");
  CHECK(describe_datagram({}, 9) == "0 bytes, \"\"");
}

TEST_CASE("what is not understood is kept, what is understood is not kept twice") {
  Sighting sighting;
  const auto bytes = capture("http1/curl-post.bin");
  put_into(read_first_flight(bytes), bytes, sighting);
  CHECK(sighting.method == "POST");
  CHECK(sighting.target == "http://curl.example/form");
  CHECK(sighting.first_bytes.empty());
  const Octets other(1000, 'x');
  Sighting unknown;
  put_into(read_first_flight(other), other, unknown);
  CHECK(unknown.first_bytes.size() == kFirstBytes);
}
