#include "subject/wire/http_exchange.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include "subject/doors/door.hpp"
#include "support/catch.hpp"
#include "support/plain_sockets.hpp"
#include "support/scripted_server.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::Connection;
using test::ok;
using test::ScriptedServer;

namespace {

constexpr Milliseconds kLong{20'000};  // never reached when the code is right
constexpr Milliseconds kShort{60};
constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

struct Client {
  test::PlainSockets enclosure;
  HttpExchange exchange{enclosure};

  explicit Client(const ScriptedServer& server) {
    exchange.aim({"127.0.0.1", server.port(), {}}, false);
  }
  HttpResponse get(Milliseconds limit = kLong) {
    auto response = exchange.exchange(kGet, limit);
    if (!response) FAIL(response.error().what);
    return **response;
  }
  Error error(Milliseconds limit = kLong) {
    auto response = exchange.exchange(kGet, limit);
    REQUIRE_FALSE(response);
    CHECK(response.error().fault == Fault::subject);
    return response.error();
  }
};

// Answers each request of each connection with the same bytes, and goes on.
ScriptedServer::Script always(std::string answer) {
  return [answer = std::move(answer)](Connection& connection) {
    while (!connection.request().empty()) connection.send(answer);
  };
}

// Answers one request and closes.
ScriptedServer::Script once(std::string answer) {
  return [answer = std::move(answer)](Connection& connection) {
    if (!connection.request().empty()) connection.send(answer);
  };
}

std::string contains(const Error& error, const std::string& part) {
  return error.what.find(part) != std::string::npos ? "" : "no '" + part + "' in: " + error.what;
}

}  // namespace

TEST_CASE("a connection serves one call after another", "[threads]") {
  ScriptedServer server(always(ok("hello")));
  Client client(server);
  for (int call = 0; call < 3; ++call) {
    const auto response = client.get();
    CHECK(response.status == 200);
    CHECK(response.body == "hello");
    CHECK(response.finished);
    CHECK(response.took.count() > 0);
  }
  CHECK(server.connections() == 1);
}

TEST_CASE("a response says how long it is in four ways", "[threads]") {
  const std::string head = "HTTP/1.1 200 OK\r\n";
  SECTION("chunks, with an extension and trailers") {
    ScriptedServer server(always(
        head +
        "Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n"));
    Client client(server);
    CHECK(client.get().body == "abcde");
    CHECK(client.get().body == "abcde");
    CHECK(server.connections() == 1);
  }
  SECTION("the end of the connection, HTTP/1.0") {
    ScriptedServer server(once("HTTP/1.0 200 OK\r\n\r\nuntil the end"));
    Client client(server);
    CHECK(client.get().body == "until the end");
    CHECK(client.get().body == "until the end");
    CHECK(server.connections() == 2);
  }
  SECTION("no body by its status") {
    ScriptedServer server(always("HTTP/1.1 204 No Content\r\n\r\n"));
    Client client(server);
    CHECK(client.get().status == 204);
    CHECK(client.get().status == 204);
    CHECK(server.connections() == 1);
  }
  SECTION("no body because the request was HEAD") {
    ScriptedServer server(always(head + "Content-Length: 5\r\n\r\n"));
    Client client(server);
    const auto response = client.exchange.exchange("HEAD / HTTP/1.1\r\n\r\n", kLong, true);
    REQUIRE(response);
    CHECK((*response)->body.empty());
  }
}

TEST_CASE("an answer may come byte by byte", "[threads]") {
  const auto answer = ok("hello", "Set-Cookie: a=1\r\nset-cookie: b=2\r\nMcp-Session-Id: s\r\n");
  ScriptedServer server([&](Connection& connection) {
    while (!connection.request().empty())
      for (const char byte : answer) connection.send({&byte, 1});
  });
  Client client(server);
  const auto response = client.get();
  CHECK(response.body == "hello");
  CHECK(response.cookies == std::vector<std::string>{"a=1", "b=2"});
  CHECK(response.session == "s");
}

TEST_CASE("interim responses are skipped", "[threads]") {
  ScriptedServer server(always(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok("final")));
  Client client(server);
  CHECK(client.get().body == "final");
  CHECK(client.get().body == "final");
}

TEST_CASE("a switch of protocols ends the connection", "[threads]") {
  ScriptedServer server(always("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"));
  Client client(server);
  CHECK(client.get().status == 101);
  CHECK(client.get().status == 101);
  CHECK(server.connections() == 2);
}

TEST_CASE("a kept connection that the subject closed is opened anew, once", "[threads]") {
  SECTION("in silence, after an answer") {
    ScriptedServer server(once(ok("hello")));
    Client client(server);
    CHECK(client.get().body == "hello");
    CHECK(client.get().body == "hello");
    CHECK(server.connections() == 2);
  }
  SECTION("with a reset") {
    ScriptedServer server([](Connection& connection) {
      if (!connection.request().empty()) connection.send(ok("hello"));
      connection.reset_on_close();
    });
    Client client(server);
    CHECK(client.get().body == "hello");
    CHECK(client.get().body == "hello");
  }
  SECTION("and the new one fails too: no third") {
    ScriptedServer server([](Connection& connection) {
      if (!connection.request().empty() && connection.number() == 1) connection.send(ok("hello"));
    });
    Client client(server);
    CHECK(client.get().body == "hello");
    CHECK(contains(client.error(), "closed the connection before it answered") == "");
    CHECK(server.connections() == 2);
  }
  SECTION("announced") {
    ScriptedServer server(once(ok("hello", "Connection: close\r\n")));
    Client client(server);
    CHECK(client.get().body == "hello");
    CHECK(client.get().body == "hello");
    CHECK(server.connections() == 2);
  }
}

TEST_CASE("bytes after the answer are not the next answer", "[threads]") {
  ScriptedServer server(always(ok("one") + ok("stray")));
  Client client(server);
  CHECK(client.get().body == "one");
  CHECK(client.get().body == "one");
  CHECK(server.connections() == 2);
}

TEST_CASE("what is no answer is quoted", "[threads]") {
  SECTION("closed at once") {
    ScriptedServer server([](Connection& connection) { (void)connection.request(); });
    Client client(server);
    CHECK(contains(client.error(), "closed the connection before it answered") == "");
    CHECK(server.connections() == 1);
  }
  SECTION("half a header") {
    ScriptedServer server(once("HTTP/1.1 200 OK\r\nContent-Le"));
    Client client(server);
    CHECK(contains(client.error(), "in the middle of its answer; so far: \"Content-Le\"") == "");
  }
  SECTION("half a body") {
    ScriptedServer server(once("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
    Client client(server);
    CHECK(contains(client.error(), "so far: status 200, \"half\"") == "");
  }
  SECTION("half a chunk") {
    ScriptedServer server(once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"));
    Client client(server);
    CHECK(contains(client.error(), "so far: status 200, \"half\"") == "");
  }
  SECTION("another protocol") {
    ScriptedServer server(once("SSH-2.0-\x1b[31mOpenSSH\r\n"));
    Client client(server);
    const auto error = client.error();
    CHECK(contains(error, "no HTTP/1.1") == "");
    CHECK(contains(error, "SSH-2.0-\\x1b[31mOpenSSH\\r\\n") == "");
  }
  SECTION("a header without an end") {
    ScriptedServer server([](Connection& connection) {
      (void)connection.request();
      connection.send("HTTP/1.1 200 OK\r\nX: " + std::string(2 * kHeaderLimit, 'x'));
      connection.wait_for_close();
    });
    Client client(server);
    CHECK(contains(client.error(), "no HTTP/1.1") == "");
  }
  SECTION("two lengths that differ") {
    ScriptedServer server(
        once("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"));
    Client client(server);
    CHECK(contains(client.error(), "no HTTP/1.1") == "");
  }
}

TEST_CASE("a call ends at its deadline", "[threads]") {
  SECTION("without an answer") {
    ScriptedServer server([](Connection& connection) { connection.wait_for_close(); });
    Client client(server);
    CHECK(contains(client.error(kShort), "ran out of time before it answered: 60 ms") == "");
    CHECK(server.connections() == 1);  // not sent again
  }
  SECTION("in a stream that never ends") {
    ScriptedServer server([](Connection& connection) {
      (void)connection.request();
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
      connection.wait_for_close();
    });
    Client client(server);
    CHECK(contains(client.error(kShort), "so far: status 200, \"data: 1\\n\\n\"") == "");
  }
  SECTION("and the next call has a connection of its own") {
    ScriptedServer server([](Connection& connection) {
      if (connection.number() == 1) return connection.wait_for_close();
      while (!connection.request().empty()) connection.send(ok("hello"));
    });
    Client client(server);
    (void)client.error(kShort);
    CHECK(client.get().body == "hello");
  }
}

TEST_CASE(
    "a stream is left when the caller has enough, and its connection is used again if it ended",
    "[threads]") {
  ScriptedServer server([](Connection& connection) {
    while (!connection.request().empty()) {
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n");
      if (connection.number() == 1) connection.wait_for_close();
      connection.send("0\r\n\r\n");
    }
  });
  Client client(server);
  const HttpExchange::Enough enough = [](const HttpResponse& so_far) {
    return so_far.body == "first";
  };
  auto first = client.exchange.exchange(kGet, kLong, false, enough);
  REQUIRE(first);
  CHECK_FALSE((*first)->finished);
  CHECK((*first)->body == "first");
  CHECK(client.get().body == "first");
  CHECK(client.get().body == "first");
  CHECK(server.connections() == 2);
}

TEST_CASE("of a body that is too long the start is kept", "[threads]") {
  const std::size_t length = kAnswerLimit + 12345;
  ScriptedServer server([&](Connection& connection) {
    while (!connection.request().empty()) connection.send(ok(std::string(length, 'x')));
  });
  Client client(server);
  auto response = client.exchange.exchange(kGet, kLong);
  REQUIRE(response);
  CHECK((*response)->body.size() == kAnswerLimit);
  CHECK((*response)->cut);
  CHECK(client.exchange.exchange(kGet, kLong));
  CHECK(server.connections() == 1);  // the rest was read
}

TEST_CASE("a refusal before the request was read is an answer", "[threads]") {
  ScriptedServer server([](Connection& connection) {
    (void)connection.until("\r\n\r\n");
    connection.send("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nlong");
    connection.wait_for_close();
  });
  Client client(server);
  const std::string large =
      "POST / HTTP/1.1\r\nContent-Length: 33554432\r\n\r\n" + std::string(32 * 1024 * 1024, 'x');
  auto response = client.exchange.exchange(large, kLong);
  REQUIRE(response);
  CHECK((*response)->status == 413);
}

TEST_CASE("nothing listens", "[threads]") {
  std::uint16_t port = 0;
  {
    port = ScriptedServer([](Connection&) {}).port();
  }
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  exchange.aim({"127.0.0.1", port, {}}, false);
  auto response = exchange.exchange(kGet, kLong);
  REQUIRE_FALSE(response);
  CHECK(response.error().what ==
        "nothing listens at 127.0.0.1:" + std::to_string(port) + " (Connection refused)");
}

TEST_CASE("HTTP over a unix socket", "[threads]") {
  test::TemporaryFolder folder;
  ScriptedServer server(folder / "s.sock", always(ok("hello")));
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  exchange.aim({{}, 0, (folder / "s.sock").string()}, false);
  for (int call = 0; call < 2; ++call) {
    auto response = exchange.exchange(kGet, kLong);
    REQUIRE(response);
    CHECK((*response)->body == "hello");
  }
  CHECK(server.connections() == 1);

  exchange.aim({{}, 0, (folder / "none.sock").string()}, false);
  CHECK(exchange.exchange(kGet, kLong).error().what.find("No such file") != std::string::npos);
  exchange.aim({{}, 0, std::string(200, 'x')}, false);
  CHECK(exchange.exchange(kGet, kLong).error().fault == Fault::input);
}

TEST_CASE("an interruption ends a call", "[threads]") {
  ScriptedServer server([](Connection& connection) { connection.wait_for_close(); });
  const int interrupt = eventfd(1, EFD_CLOEXEC);
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure, interrupt);
  exchange.aim({"127.0.0.1", server.port(), {}}, false);
  auto response = exchange.exchange(kGet, kLong);
  REQUIRE_FALSE(response);
  CHECK(response.error().fault == Fault::interrupted);
  close(interrupt);
}

TEST_CASE("a host is an address: no name is looked up") {
  test::PlainSockets enclosure;
  HttpExchange exchange(enclosure);
  exchange.aim({"example.com", 80, {}}, false);
  auto response = exchange.exchange(kGet, kLong);
  REQUIRE_FALSE(response);
  CHECK(response.error().fault == Fault::input);
  CHECK(enclosure.sockets == 0);
}
