#include "catcher/wire/client_hello.hpp"

#include "catcher/wire/capture.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher::wire;
using telltale::test::capture;
using telltale::test::each_truncation;
using telltale::test::Octets;

TEST_CASE("the hellos of real clients") {
  const struct {
    const char *file, *name;
    std::vector<std::string> alpn;
    std::uint16_t version;
  } cases[] = {
      {"curl", "curl.example", {"h2", "http/1.1"}, 0x0304},
      {"curl-address", "", {"h2", "http/1.1"}, 0x0304},
      {"openssl-tls12", "openssl.example", {}, 0x0303},
      {"node", "node.example", {"h2"}, 0x0304},
      {"go", "go.example", {"h2", "http/1.1"}, 0x0304},
      {"java", "java.example", {"h2"}, 0x0304},
  };
  for (const auto& one : cases) {
    INFO(one.file);
    const auto reading =
        read_client_hello(capture(std::string("client_hello/") + one.file + ".bin"));
    CHECK(reading.shape == Shape::whole);
    CHECK(reading.hello.server_name == one.name);
    CHECK(reading.hello.alpn == one.alpn);
    CHECK(reading.hello.version == one.version);
    CHECK_FALSE(reading.hello.encrypted_inner);
  }
}

TEST_CASE("a hello in several records") {
  const auto bytes = capture("client_hello/openssl-records.bin");
  REQUIRE(bytes[3] * 256u + bytes[4] < bytes.size() - 5);  // more than one
  const auto reading = read_client_hello(bytes);
  CHECK(reading.shape == Shape::whole);
  CHECK(reading.hello.server_name == "long." + std::string(60, 'a') + ".example");
  CHECK(reading.hello.alpn.size() == kAlpnLimit);
  CHECK(reading.hello.alpn[0] == "p000");
}

TEST_CASE("records of one byte") {
  const auto whole = capture("client_hello/node.bin");
  Octets cut;
  for (std::size_t at = 5; at < whole.size(); ++at)
    cut.insert(cut.end(), {22, 3, 1, 0, 1, whole[at]});
  const auto reading = read_client_hello(cut);
  CHECK(reading.shape == Shape::whole);
  CHECK(reading.hello.server_name == "node.example");
}

TEST_CASE("every shorter beginning is partial, and gives what it already says") {
  for (const auto* file : {"client_hello/go.bin", "client_hello/openssl-records.bin"}) {
    std::size_t named = 0;
    each_truncation(capture(file), [&](const Octets& bytes) {
      const auto reading = read_client_hello(bytes);
      CHECK(reading.shape == Shape::partial);
      named += reading.hello.server_name.empty() ? 0 : 1;
    });
    CHECK(named > 100);  // a half-open hello still names its destination
  }
}

TEST_CASE("lengths past the end, at every byte") {
  for (const auto* file : {"client_hello/curl.bin", "client_hello/openssl-records.bin"}) {
    const auto bytes = capture(file);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      auto broken = bytes;
      broken[at] = 0xff;
      const auto reading = read_client_hello(broken);
      CHECK(reading.hello.server_name.size() <= 255);
      CHECK(reading.hello.alpn.size() <= kAlpnLimit);
    }
  }
}

TEST_CASE("what is no hello") {
  CHECK(read_client_hello(as_bytes("GET / HTTP/1.1\r\n")).shape == Shape::foreign);
  CHECK(read_client_hello(as_bytes("\x16\x02\x01")).shape == Shape::foreign);
  auto alert = capture("client_hello/curl.bin");
  alert[0] = 21;
  CHECK(read_client_hello(alert).shape == Shape::foreign);
  auto finished = capture("client_hello/curl.bin");
  finished[5] = 20;  // another handshake message
  CHECK(read_client_hello(finished).shape == Shape::foreign);
  auto endless = capture("client_hello/curl.bin");
  endless[6] = 0xff;  // a hello of 16 MB
  CHECK(read_client_hello(endless).shape == Shape::foreign);
  CHECK(read_client_hello({}).shape == Shape::partial);
}

TEST_CASE("an encrypted inner hello is named as one") {
  // A hello of TLS 1.2 with one extension, 0xfe0d, of no bytes.
  Octets hello = {1, 0, 0, 47, 3, 3};
  hello.resize(hello.size() + 32);
  hello.insert(hello.end(), {0, 0, 2, 0x13, 1, 1, 0, 0, 4, 0xfe, 0x0d, 0, 0});
  const auto reading = read_hello_message(hello);
  CHECK(reading.shape == Shape::whole);
  CHECK(reading.hello.encrypted_inner);
}

TEST_CASE("versions have names") {
  CHECK(tls_version_name(0x0304) == "TLS 1.3");
  CHECK(tls_version_name(0x7f1c).empty());
}
