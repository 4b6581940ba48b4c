#include "catcher/tls/session.hpp"

#include <fmt/core.h>
#include <sys/socket.h>

#include <array>
#include <cstdlib>

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/requirement.hpp"
#include "support/scripted_server.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::catcher;
using telltale::test::contains;
using telltale::test::have_program;
using telltale::test::read_file;
using telltale::test::TemporaryFolder;

namespace {

// Serves connections by sessions, one after another, until each client has gone.
struct TlsPlace {
  std::unique_ptr<RunAuthority> authority = std::move(*RunAuthority::make());
  std::unique_ptr<TlsTerminator> terminator = std::move(*TlsTerminator::make(*authority));
  std::string answer, heard, protocol, reason;
  TlsState state = TlsState::shaking_hands;
  TemporaryFolder folder;

  TlsPlace() {
    folder.write("root.pem", authority->pem());
    folder.write("other.pem", (*RunAuthority::make())->pem());
  }

  void serve(telltale::test::Connection& connection) {
    TlsSession session(*terminator, "127.0.0.1");
    std::array<std::uint8_t, 4096> part{};
    heard.clear();
    for (;;) {
      const auto bytes = recv(connection.fd(), part.data(), part.size(), 0);
      if (bytes <= 0) break;
      session.receive({part.data(), static_cast<std::size_t>(bytes)});
      connection.send(session.take_output());
      const auto plain = session.take_plain();
      if (plain.empty()) continue;
      heard.append(plain.begin(), plain.end());
      if (answer.empty()) continue;
      session.send(answer);
      session.close();
      connection.send(session.take_output());
      shutdown(connection.fd(), SHUT_WR);
    }
    session.peer_closed();
    state = session.state();
    reason = session.reason();
    protocol = session.protocol();
  }

  // Runs `command` (with {port} and {folder} in it) against a server; what it printed.
  std::string run(std::string command, const std::string& input = "") {
    {
      telltale::test::ScriptedServer server([this](auto& connection) { serve(connection); });
      folder.write("in", input);
      command = fmt::format(fmt::runtime(command), fmt::arg("port", server.port()),
                            fmt::arg("folder", folder.path().string()));
      const auto where = folder.path().string();
      const auto whole = "cd " + where + " && " + command + " <in >out 2>&1";
      [[maybe_unused]] const int status = std::system(whole.c_str());
    }
    return read_file(folder / "out");
  }
};

bool have_openssl() {
  return telltale::test::require(have_program("openssl"), "openssl");
}

constexpr auto kClient =
    "openssl s_client -quiet -verify_return_error -servername telemetry.example "
    "-verify_hostname telemetry.example -connect 127.0.0.1:{port} -no_ign_eof ";

}  // namespace

TEST_CASE("a client that trusts the authority is read in plain text, and hears the answer") {
  if (!have_openssl()) return;
  for (const std::string version : {"-tls1_3", "-tls1_2"}) {
    TlsPlace place;
    place.answer = "an answer\n";
    const auto printed =
        place.run(kClient + version + " -ign_eof -CAfile root.pem", "GET /secret HTTP/1.0\r\n\r\n");
    CHECK(place.heard == "GET /secret HTTP/1.0\r\n\r\n");
    CHECK(contains(printed, "an answer"));
    CHECK(place.state == TlsState::ended);
  }
}

TEST_CASE("a client with a store of its own refuses, and says why") {
  if (!have_openssl()) return;
  for (const std::string version : {"-tls1_3", "-tls1_2"}) {
    TlsPlace place;
    place.run(kClient + version + " -CAfile other.pem", "GET / HTTP/1.0\r\n\r\n");
    CHECK(place.heard.empty());
    CHECK(place.state == TlsState::refused);
    CHECK(contains(place.reason, "alert: unknown CA"));
  }
}

TEST_CASE("a client that looks at the certificate after the handshake and hangs up has refused") {
  if (!have_openssl()) return;
  TlsPlace place;
  // It does not verify, says nothing, and closes in order.
  place.run("openssl s_client -connect 127.0.0.1:{port} ", "");
  CHECK(place.state == TlsState::refused);
  CHECK(place.reason == "hung up after the handshake, without a word");
}

TEST_CASE("no common version is a failure, and no refusal") {
  if (!have_openssl()) return;
  TlsPlace place;
  place.run("openssl s_client -connect 127.0.0.1:{port} -tls1_2 -cipher aRSA+kRSA", "x");
  CHECK(place.state == TlsState::failed);
  CHECK(place.reason == "no shared cipher");
}

TEST_CASE("ALPN: h2 is taken, then http/1.1, then whatever comes first") {
  if (!have_openssl()) return;
  for (const auto& [offered, taken] :
       {std::pair("http/1.1,h2", "h2"), {"spdy/3,http/1.1", "http/1.1"}, {"dot", "dot"}}) {
    TlsPlace place;
    place.run(fmt::format("{} -CAfile root.pem -alpn {}", kClient, offered), "x\n");
    CHECK(place.protocol == taken);
  }
}

TEST_CASE("curl over HTTP/2: the preface is read") {
  if (!telltale::test::require(have_program("curl"), "curl")) return;
  TlsPlace place;
  place.run("curl -s -m 2 --cacert root.pem --connect-to ::127.0.0.1:{port} https://a.example/");
  CHECK(place.heard.rfind("PRI * HTTP/2.0", 0) == 0);
}

TEST_CASE("without a server name the certificate is that of the address") {
  if (!telltale::test::require(have_program("curl"), "curl")) return;
  TlsPlace place;
  place.answer = "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nheard";
  CHECK(place.run("curl -s --http1.1 --cacert root.pem https://127.0.0.1:{port}/") == "heard");
}

TEST_CASE("what is no TLS fails, at once and for good") {
  TlsPlace place;
  TlsSession session(*place.terminator, "127.0.0.1");
  session.receive(wire::as_bytes("GET / HTTP/1.1\r\n\r\n"));
  CHECK(session.state() == TlsState::failed);
  CHECK_FALSE(session.reason().empty());
  session.receive(wire::as_bytes("more"));
  session.send("nothing");
  session.peer_closed();
  CHECK(session.state() == TlsState::failed);
  TlsSession half(*place.terminator, "127.0.0.1");
  half.receive(wire::as_bytes(std::string("\x16\x03\x01\x02\x00\x01", 6)));
  half.peer_closed();
  CHECK(half.state() == TlsState::failed);
  CHECK(half.reason() == "hung up in the middle of its hello");
}
