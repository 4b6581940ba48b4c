#include "catcher/wire/http1_request.hpp"

#include "catcher/wire/capture.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher::wire;
using telltale::test::capture;
using telltale::test::each_truncation;
using telltale::test::Octets;

TEST_CASE("the requests of real clients") {
  const auto get = read_http1_request(capture("http1/curl-get.bin"));
  CHECK(get.shape == Shape::whole);
  CHECK(get.request.method == "GET");
  CHECK(get.request.target == "/path?q=1");
  CHECK(get.request.host == "curl.example");
  CHECK(get.request.header_names == std::vector<std::string>{"Host", "User-Agent", "Accept"});

  const auto post = read_http1_request(capture("http1/curl-post.bin"));
  CHECK(post.request.method == "POST");
  CHECK(post.body == 3);
  CHECK(post.head + 3 == capture("http1/curl-post.bin").size());
  CHECK(read_http1_request(capture("http1/curl-chunked.bin")).chunked);
  CHECK(read_http1_request(capture("http1/node-fetch.bin")).request.target == "/telemetry");
}

TEST_CASE("every shorter beginning of a head is partial") {
  each_truncation(capture("http1/curl-get.bin"), [](const Octets& bytes) {
    CHECK(read_http1_request(bytes).shape == Shape::partial);
  });
}

TEST_CASE("a request line of a megabyte is cut") {
  const std::string bytes = "GET /" + std::string(1'000'000, 'a');
  const auto partial = read_http1_request(as_bytes(bytes));
  CHECK(partial.shape == Shape::partial);
  CHECK(partial.request.target.size() == kTargetLimit);
  CHECK(partial.request.target_cut);
  const auto whole_bytes = bytes + " HTTP/1.1\r\nHost: a\r\n\r\n";
  const auto whole = read_http1_request(as_bytes(whole_bytes));
  CHECK(whole.shape == Shape::whole);
  CHECK(whole.request.target.size() == kTargetLimit);
}

TEST_CASE("headers without end are counted, not stored") {
  std::string bytes = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 10'000; ++i) bytes += "X-" + std::to_string(i) + ": v\r\n";
  bytes += std::string(10'000, 'y') + ": z\r\n";
  const auto reading = read_http1_request(as_bytes(bytes));
  CHECK(reading.request.header_names.size() == kHeaderNameLimit);
}

TEST_CASE("what is no request is foreign at once") {
  const std::string nul("\0\0\0\0", 4);
  for (const auto& bytes :
       {std::string("PING\r\n"), std::string("*1\r\n$4\r\nPING\r\n"), std::string("SSH-2.0-x\r\n"),
        std::string("GET /\r\n"), std::string("GET / HTTP/2.0\r\n"), std::string(" GET"), nul,
        std::string(30, 'A'), std::string("\n"), std::string("GET / HTTP/1.10\r\n"),
        std::string("EHLO there\r\n")}) {
    INFO(bytes);
    CHECK(read_http1_request(as_bytes(bytes)).shape == Shape::foreign);
  }
  CHECK(read_http1_request({}).shape == Shape::partial);
}

TEST_CASE("bare line feeds, odd fields and odd lengths are read for what they are") {
  const auto reading = read_http1_request(
      as_bytes("GET /a b HTTP/1.0\nhOsT:\t a.example \nno colon\n: none\nb@d: x\n"
               "Content-Length: 99999999999999999999999\n\n"));
  CHECK(reading.shape == Shape::whole);
  CHECK(reading.request.target == "/a b");
  CHECK(reading.request.host == "a.example");
  CHECK(reading.request.header_names == std::vector<std::string>{"hOsT", "Content-Length"});
}
