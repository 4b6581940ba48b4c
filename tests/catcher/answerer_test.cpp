#include "catcher/answerer.hpp"

#include <cerrno>

#include "catcher/loopback.hpp"
#include "catcher/proving.hpp"
#include "catcher/wire/capture.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher;
using telltale::test::capture;
using telltale::test::Client;
using telltale::test::comes_true;
using telltale::test::Loopback;
using telltale::test::Octets;
using telltale::test::Proving;

namespace {

struct Answering {
  explicit Answering(AnswerMode mode = AnswerMode::accept_close,
                     std::shared_ptr<AnswerTable> answers = nullptr)
      : answerer(proving.scene, names,
                 {tcp.source(),
                  {},
                  mode,
                  std::move(answers),
                  {{"127.0.0.1", tcp.port}, {"::1", tcp.port}}}) {
    proving.scene.set(1, "drive");
    if (!answerer.start(*proving.enclosure)) throw std::runtime_error("no answerer");
  }
  [[nodiscard]] Client client(const std::string& address = "127.0.0.1") const {
    return Client(SOCK_STREAM, {address, tcp.port});
  }
  [[nodiscard]] Sighting only() const {
    REQUIRE(comes_true([&] { return !answerer.sightings().empty(); }));
    return answerer.sightings().at(0);
  }

  Proving proving;
  NameTable names;
  Loopback tcp{SOCK_STREAM};
  Answerer answerer;
};

}  // namespace

TEST_CASE("a connection is accepted, its hello read and told, and it is closed without a reset") {
  Answering world;
  auto client = world.client("127.9.9.9");
  client.send(capture("client_hello/curl.bin"));
  CHECK(client.hear().empty());
  CHECK(client.error == 0);
  const auto seen = world.only();
  CHECK(seen.observer == "answerer");
  CHECK(seen.protocol == "tcp");
  CHECK(seen.host == "127.9.9.9");  // what was dialled
  CHECK(seen.port == world.tcp.port);
  CHECK(seen.said == "TLS hello, SNI curl.example, ALPN h2 http/1.1, TLS 1.3");
  CHECK(seen.server_name == "curl.example");
  CHECK(seen.payload == 517);
  CHECK(seen.pid == getpid());
  CHECK_FALSE(seen.executable.empty());
}

TEST_CASE("IPv6, and a hello in pieces") {
  Answering world;
  auto client = world.client("::1");
  for (const auto byte : capture("client_hello/node.bin")) client.send(Octets{byte});
  CHECK(client.hear().empty());
  CHECK(world.only().host == "::1");
  CHECK(world.only().server_name == "node.example");
}

TEST_CASE("a caller that says nothing, and one that closes at once, are sightings") {
  Answering world;
  auto silent = world.client();
  { const auto gone = world.client(); }
  CHECK(silent.hear().empty());
  REQUIRE(comes_true([&] { return world.answerer.sightings().size() == 2; }));
  for (const auto& one : world.answerer.sightings()) CHECK(one.said == "nothing");
}

TEST_CASE("half a hello is told when the patience is over") {
  Answering world;
  auto client = world.client();
  auto half = capture("client_hello/curl.bin");
  half.resize(300);
  client.send(half);
  CHECK(client.hear().empty());
  CHECK(world.only().said.rfind("half a TLS hello, SNI curl.example", 0) == 0);
}

TEST_CASE("a request line of a megabyte: a part is read and told") {
  Answering world;
  auto client = world.client();
  client.send("GET /" + std::string(1'000'000, 'a') + " HTTP/1.1\r\n\r\n");
  client.hear_all();
  const auto seen = world.only();
  CHECK(seen.said.size() < 400);
  CHECK(seen.target.size() <= 2100);
  CHECK(seen.payload <= 32 * 1024);
}

TEST_CASE("bytes after the first flight do not turn the close into a reset") {
  Answering world;
  auto client = world.client();
  client.send("POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'b'));
  CHECK(client.hear().empty());
  CHECK(client.error == 0);
}

TEST_CASE("http-200 and http-500 answer a request of HTTP/1 and of HTTP/2") {
  for (const auto mode : {AnswerMode::http_200, AnswerMode::http_500}) {
    Answering world(mode);
    auto one = world.client();
    one.send(capture("http1/curl-post.bin"));
    CHECK(one.hear_all().rfind(mode == AnswerMode::http_200 ? "HTTP/1.1 200 OK" : "HTTP/1.1 500",
                               0) == 0);
    CHECK(world.only().said == "POST http://curl.example/form");
    auto two = world.client();
    two.send(capture("http2/curl.bin"));
    const auto heard = two.hear_all();
    CHECK(heard.substr(0, 9) == http2_settings());
    CHECK(heard.back() == (mode == AnswerMode::http_200 ? '\x88' : '\x8e'));
    // No request is known: as accept-close.
    auto other = world.client();
    other.send("PING\r\n");
    CHECK(other.hear_all().empty());
  }
}

namespace {

// Of 127.0.0.1, whatever the port: POST /form is answered 201, with a body of that many bytes.
std::shared_ptr<AnswerTable> form_answer(std::size_t body = 2) {
  telltale::subject::AnswerEntry entry;
  entry.host = "127.0.0.1";
  entry.path = "/form";
  entry.status = 201;
  entry.body = std::string(body, 'b');
  return AnswerTable::make({entry}).value();
}

}  // namespace

TEST_CASE("a request that the file answers gets that answer, whatever the mode") {
  for (const auto mode : {AnswerMode::accept_close, AnswerMode::accept_hold, AnswerMode::refuse,
                          AnswerMode::http_500}) {
    INFO(word_of(mode));
    Answering world(mode, form_answer());
    auto client = world.client();
    client.send(capture("http1/curl-post.bin"));
    const auto heard = client.hear_all();
    CHECK(heard.rfind("HTTP/1.1 201 Created\r\n", 0) == 0);
    CHECK(heard.substr(heard.size() - 6) == "\r\n\r\nbb");
    const auto seen = world.only();
    CHECK(seen.said == "POST http://curl.example/form");
    CHECK(seen.answered_by == "the file");
    CHECK(seen.answer_status == 201);
  }
}

TEST_CASE("what the file does not answer is answered by the mode, and that is said") {
  Answering world(AnswerMode::http_500, form_answer());
  auto client = world.client();
  client.send("GET /other HTTP/1.1\r\nHost: curl.example\r\n\r\n");
  CHECK(client.hear_all().rfind("HTTP/1.1 500", 0) == 0);
  CHECK(world.only().answered_by == "--answer http-500");
  Answering closing(AnswerMode::accept_close, form_answer());
  auto other = closing.client();
  other.send("GET /other HTTP/1.1\r\n\r\n");
  CHECK(other.hear_all().empty());
  CHECK(closing.only().answered_by.empty());
}

TEST_CASE("by the name that the request gives, where an address was dialled") {
  telltale::subject::AnswerEntry entry;
  entry.host = "curl.example";
  Answering world(AnswerMode::accept_close, AnswerTable::make({entry}).value());
  auto client = world.client();
  client.send(capture("http1/curl-post.bin"));
  CHECK(client.hear_all().rfind("HTTP/1.1 200 OK", 0) == 0);
}

TEST_CASE("half a request is not answered: its path may go on") {
  Answering world(AnswerMode::accept_close, form_answer());
  auto client = world.client();
  client.send("POST /form");
  CHECK(client.hear_all().empty());
}

TEST_CASE("a long answer is sent as the caller takes it") {
  Answering world(AnswerMode::accept_close, form_answer(30'000'000));
  auto client = world.client();
  client.send(capture("http1/curl-post.bin"));
  const auto heard = client.hear_all();
  CHECK(heard.size() > 30'000'000);
  CHECK(heard.back() == 'b');
}

TEST_CASE("the file answers HTTP/2 in clear text too") {
  telltale::subject::AnswerEntry entry;
  entry.host = "curl.example";
  entry.path = "/path";
  entry.body = "inside";
  Answering world(AnswerMode::accept_close, AnswerTable::make({entry}).value());
  auto client = world.client();
  client.send(capture("http2/curl.bin"));
  const auto heard = client.hear_all();
  CHECK(heard.substr(0, 9) == http2_settings());
  CHECK(heard.substr(heard.size() - 6) == "inside");
}

TEST_CASE("a client of HTTP/2 that waits for settings gets them") {
  Answering world;
  auto client = world.client();
  const auto bytes = capture("http2/curl.bin");
  client.send(Octets(bytes.begin(), bytes.begin() + 24));
  CHECK(client.hear().size() == 9);
  client.send(Octets(bytes.begin() + 24, bytes.end()));
  CHECK(world.only().said == "GET http://curl.example/path over HTTP/2");
}

TEST_CASE("refuse resets; the destination is known, what would have been said is not") {
  Answering world(AnswerMode::refuse);
  auto client = world.client();
  CHECK(client.hear().empty());
  CHECK(client.error == ECONNRESET);
  CHECK(world.only().said.empty());
}

TEST_CASE("drop never establishes a connection; its control is let through") {
  Answering world(AnswerMode::drop);
  {
    const telltale::subject::FileDescriptor socket(
        ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_storage address{};
    socklen_t length = 0;
    REQUIRE(to_address({"127.0.0.1", world.tcp.port}, false, address, length));
    CHECK(connect(socket.get(), reinterpret_cast<sockaddr*>(&address), length) != 0);
    // On loopback the answer to a SYN is there when connect returns.
    CHECK(connect(socket.get(), reinterpret_cast<sockaddr*>(&address), length) != 0);
    CHECK(errno == EALREADY);
  }
  const auto control = world.answerer.prove("launch 1, before", world.proving.caller);
  INFO(control.observed);
  CHECK(control.held);
  CHECK(world.answerer.sightings().empty());
  CHECK(world.answerer.record().role == telltale::evidence::Role::corroboration);
}

TEST_CASE("accept-hold reads the flight and holds until the caller closes") {
  Answering world(AnswerMode::accept_hold);
  auto client = world.client();
  client.send("PING\r\n");
  CHECK(world.only().said == "6 bytes, \"PING\\r\\n\"");
  std::array<char, 1> byte;
  CHECK(recv(client.socket.get(), byte.data(), 1, MSG_DONTWAIT) < 0);
  CHECK(errno == EAGAIN);
}

TEST_CASE("none of many connections is missed, whether open, closed or reset, and stop keeps all") {
  Answering world;
  std::vector<Client> open;
  for (int i = 0; i < 300; ++i) open.push_back(world.client());
  for (int i = 0; i < 1000; ++i) const auto closed = world.client();
  const linger at_once{1, 0};
  for (int i = 0; i < 1000; ++i) {
    const auto reset = world.client();
    setsockopt(reset.socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  world.answerer.stop();
  std::uint64_t seen = 0;
  for (const auto& sighting : world.answerer.sightings()) seen += sighting.count;
  CHECK(seen == 2300);
  CHECK(world.answerer.record().ran_to_the_end());
  CHECK(world.answerer.record().lost == 0);
}

TEST_CASE("the answerer's control holds in every mode, and not when it has stopped") {
  for (const auto mode : {AnswerMode::refuse, AnswerMode::accept_close, AnswerMode::accept_hold,
                          AnswerMode::http_200}) {
    INFO(word_of(mode));
    Answering world(mode);
    const auto held = world.answerer.prove("launch 1, before", world.proving.caller);
    INFO(held.observed);
    CHECK(held.held);
    CHECK(world.answerer.sightings().empty());
  }
  Answering world;
  world.answerer.stop();
  const auto broken = world.answerer.prove("launch 1, after", world.proving.caller);
  CHECK_FALSE(broken.held);
  CHECK_THAT(broken.observed, telltale::test::Holds("say 127.0.0.1: not recorded"));
}

TEST_CASE("modes have words") {
  CHECK(answer_mode_of("accept-close") == AnswerMode::accept_close);
  CHECK(word_of(AnswerMode::http_500) == "http-500");
  CHECK_FALSE(answer_mode_of("forward"));
  CHECK(answer_mode_words() == "refuse, drop, accept-close, accept-hold, http-200, http-500");
}
