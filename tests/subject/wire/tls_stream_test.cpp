// HTTPS against OpenSSL's own server side; nothing is faked but the certificate.
#include "subject/wire/http_exchange.hpp"
#include "support/catch.hpp"
#include "support/plain_sockets.hpp"
#include "support/tls_server.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::ok;
using test::ScriptedServer;
using test::TlsConnection;

namespace {

constexpr Milliseconds kPatience{20'000};
constexpr std::string_view kTlsGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

}  // namespace

TEST_CASE("HTTPS with a certificate that nobody signed and that has expired", "[threads]") {
  std::string name = "unset";
  const std::string large(300'000, 'x');
  ScriptedServer server(test::over_tls([&](TlsConnection& connection) {
    name = connection.server_name();
    while (!connection.until("\r\n\r\n").empty()) connection.send(ok(large));
  }));
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  exchange.aim({"localhost", server.port(), {}}, true);
  for (int call = 0; call < 3; ++call) {
    auto response = exchange.exchange(kTlsGet, kPatience);
    REQUIRE(response);
    CHECK((*response)->body == large);
  }
  CHECK(server.connections() == 1);
  CHECK(name == "localhost");
}

TEST_CASE("TLS connections end, and are opened anew", "[threads]") {
  bool polite = false;
  ScriptedServer server(test::over_tls([&](TlsConnection& connection) {
    if (connection.until("\r\n\r\n").empty()) return;
    connection.send("HTTP/1.1 200 OK\r\n\r\nuntil the end");
    if (polite) connection.close_notify();
  }));
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  exchange.aim({"127.0.0.1", server.port(), {}}, true);
  for (const bool each : {false, true}) {
    polite = each;
    auto response = exchange.exchange(kTlsGet, kPatience);
    REQUIRE(response);
    CHECK((*response)->body == "until the end");
  }
}

TEST_CASE("an idle TLS connection that was closed is opened anew", "[threads]") {
  ScriptedServer server(test::over_tls([&](TlsConnection& connection) {
    if (!connection.until("\r\n\r\n").empty()) connection.send(ok("hello"));
    connection.close_notify();
  }));
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  exchange.aim({"127.0.0.1", server.port(), {}}, true);
  CHECK(exchange.exchange(kTlsGet, kPatience));
  CHECK(exchange.exchange(kTlsGet, kPatience));
  CHECK(server.connections() == 2);
}

TEST_CASE("TLS with a peer that speaks none, or nothing", "[threads]") {
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  SECTION("plain HTTP") {
    ScriptedServer server([](test::Connection& connection) {
      connection.send("HTTP/1.1 400 Bad Request\r\n\r\n");
      connection.wait_for_close();
    });
    exchange.aim({"127.0.0.1", server.port(), {}}, true);
    auto response = exchange.exchange(kTlsGet, kPatience);
    REQUIRE_FALSE(response);
    CHECK(response.error().fault == Fault::subject);
    CHECK(response.error().what.find("does not speak TLS with us") != std::string::npos);
  }
  SECTION("silence") {
    ScriptedServer server([](test::Connection& connection) { connection.wait_for_close(); });
    exchange.aim({"127.0.0.1", server.port(), {}}, true);
    auto response = exchange.exchange(kTlsGet, Milliseconds{60});
    REQUIRE_FALSE(response);
    CHECK(response.error().what.find("in the middle of the TLS handshake") != std::string::npos);
  }
}

TEST_CASE("a plain client of a TLS server is told what came", "[threads]") {
  ScriptedServer server(test::over_tls([](TlsConnection&) {}));
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  exchange.aim({"127.0.0.1", server.port(), {}}, false);
  auto response = exchange.exchange(kTlsGet, kPatience);
  REQUIRE_FALSE(response);
  CHECK(response.error().fault == Fault::subject);
}
