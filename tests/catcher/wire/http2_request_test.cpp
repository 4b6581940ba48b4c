#include "catcher/wire/http2_request.hpp"

#include "catcher/wire/capture.hpp"
#include "catcher/wire/hpack.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher::wire;
using telltale::test::capture;
using telltale::test::each_truncation;
using telltale::test::from_hex;
using telltale::test::Octets;

namespace {

Octets with_preface(const std::string& frames) {
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  Octets bytes(preface.begin(), preface.end());
  const auto rest = from_hex(frames);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

}  // namespace

TEST_CASE("the HTTP/2 requests of real clients") {
  const auto get = read_http2_requests(capture("http2/curl.bin"));
  CHECK(get.shape == Shape::whole);
  REQUIRE(get.requests.size() == 1);
  const auto& request = get.requests[0].request;
  CHECK(get.requests[0].stream == 1);
  CHECK(request.method == "GET");
  CHECK(request.scheme == "http");
  CHECK(request.host == "curl.example");
  CHECK(request.target == "/path");
  CHECK(request.header_names == std::vector<std::string>{"user-agent", "accept"});

  const auto post = read_http2_requests(capture("http2/curl-post.bin"));
  REQUIRE(post.requests.size() == 1);
  CHECK(post.requests[0].request.method == "POST");
  CHECK(post.requests[0].request.target == "/form");
  const auto node = read_http2_requests(capture("http2/node.bin"));
  REQUIRE(node.requests.size() == 1);
  CHECK(node.requests[0].request.target == "/rpc");
  CHECK(node.requests[0].request.header_names == std::vector<std::string>{"authorization"});
}

TEST_CASE("every shorter beginning of the connection is partial or the same request") {
  each_truncation(capture("http2/node.bin"), [](const Octets& bytes) {
    const auto reading = read_http2_requests(bytes);
    CHECK(reading.shape != Shape::foreign);
    CHECK(reading.preface == (bytes.size() >= 24));
  });
  CHECK(read_http2_requests(as_bytes("PRI * HTTP/1.1\r\n")).shape == Shape::foreign);
  CHECK(read_http2_requests(as_bytes("GET / HTTP/1.1\r\n")).shape == Shape::foreign);
}

TEST_CASE("any byte of a real connection changed") {
  const auto bytes = capture("http2/curl-post.bin");
  for (std::size_t at = 24; at < bytes.size(); ++at)
    for (const int value : {0x00, 0x7f, 0xff}) {
      auto broken = bytes;
      broken[at] = static_cast<std::uint8_t>(value);
      CHECK(read_http2_requests(broken).requests.size() <= kHttp2RequestLimit);
    }
}

TEST_CASE("padding, priority and a block in two frames") {
  // HEADERS padded by 2 with priority: ":method GET", then CONTINUATION: ":path /".
  const auto reading =
      read_http2_requests(with_preface("000009"
                                       "01"
                                       "28"
                                       "00000001"
                                       "02"
                                       "0000000010"
                                       "82"
                                       "0000"
                                       "000001"
                                       "09"
                                       "04"
                                       "00000001"
                                       "84"));
  REQUIRE(reading.requests.size() == 1);
  CHECK(reading.requests[0].request.method == "GET");
  CHECK(reading.requests[0].request.target == "/");
}

TEST_CASE("a frame between the halves of a block, and padding longer than the frame") {
  CHECK(read_http2_requests(with_preface("000001010000000001"
                                         "82"
                                         "000000000000000000"
                                         "000001090400000001"
                                         "84"))
            .requests.empty());
  const auto reading =
      read_http2_requests(with_preface("000002010c00000001"
                                       "ff82"));
  REQUIRE(reading.requests.size() == 1);
  CHECK(reading.requests[0].request.method.empty());
}

// RFC 7541 appendix C.4: three requests with Huffman codes on one connection.
TEST_CASE("the examples of RFC 7541 appendix C.4") {
  HpackDecoder decoder;
  const auto first = decoder.decode(from_hex("828684418cf1e3c2e5f23a6ba0ab90f4ff"));
  REQUIRE(first.size() == 4);
  CHECK(first[3] == HeaderField(":authority", "www.example.com"));
  const auto second = decoder.decode(from_hex("828684be5886a8eb10649cbf"));
  REQUIRE(second.size() == 5);
  CHECK(second[3] == HeaderField(":authority", "www.example.com"));
  CHECK(second[4] == HeaderField("cache-control", "no-cache"));
  const auto third = decoder.decode(from_hex("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"));
  REQUIRE(third.size() == 5);
  CHECK(third[2] == HeaderField(":path", "/index.html"));
  CHECK(third[4] == HeaderField("custom-key", "custom-value"));
}

TEST_CASE("Huffman: wrong padding, an end inside, and a code that does not exist") {
  CHECK(decode_huffman({}) == "");
  CHECK(decode_huffman(from_hex("f1e3c2e5f23a6ba0ab90f4ff")) == "www.example.com");
  CHECK_FALSE(decode_huffman(from_hex("f1e3c2e5f23a6ba0ab90f400")));
  CHECK_FALSE(decode_huffman(from_hex("ffffffff")));
  CHECK_FALSE(decode_huffman(from_hex("ff")));
}

TEST_CASE("HPACK: numbers without end, indices past the tables, strings past the block") {
  for (const auto* block : {"ffffffffffffffffffff", "80", "ff8080808000", "be", "c0", "400a61",
                            "4001610a62", "3fffff7f", "40", "0f"}) {
    INFO(block);
    CHECK(HpackDecoder().decode(from_hex(block)).empty());
  }
}

TEST_CASE("the dynamic table forgets the oldest when it is full, and all when it is told to") {
  const auto indexed = [](char name) {  // a field whose value has 2,100 bytes
    Octets field = {0x40, 1, static_cast<std::uint8_t>(name), 0x7f, 0xb5, 0x0f};
    field.resize(field.size() + 2100, 'v');
    return field;
  };
  HpackDecoder decoder;
  CHECK(decoder.decode(indexed('a')).size() == 1);
  CHECK(decoder.decode(from_hex("be")).at(0).first == "a");
  CHECK(decoder.decode(indexed('b')).size() == 1);
  CHECK(decoder.decode(from_hex("be")).at(0).first == "b");
  CHECK(decoder.decode(from_hex("bf")).empty());  // "a" had to go
  CHECK(decoder.decode(from_hex("20be")).empty());
}

TEST_CASE("a small block cannot grow into much: one large entry, asked for again and again") {
  Octets block = {0x40, 1, 'a', 0x7f, 0x81, 0x1e};  // a value of 4,000 bytes
  block.resize(block.size() + 4000, 'b');
  block.resize(block.size() + 100'000, 0xbe);
  std::size_t total = 0;
  for (const auto& [name, value] : HpackDecoder().decode(block))
    total += name.size() + value.size();
  CHECK(total > 4000);
  CHECK(total < 2 * HpackDecoder::kHeaderListLimit);
}
