#include "catcher/wire/encrypted_questions.hpp"

#include <fmt/core.h>

#include "catcher/wire/capture.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::catcher::wire;
using telltale::test::capture;
using telltale::test::each_truncation;
using telltale::test::Octets;

namespace {

Octets query_for(const std::string& name, std::uint16_t type = dns::kA) {
  return make_dns_query(7, name, type);
}

std::string text(const Octets& bytes) {
  return {bytes.begin(), bytes.end()};
}

Octets file_of(const std::string& path) {
  const auto bytes = telltale::test::read_file(path);
  return {bytes.begin(), bytes.end()};
}

EncryptedQuestions read_text(const std::string& stream) {
  return read_encrypted_questions(as_bytes(stream));
}

std::string post(const std::string& body) {
  return fmt::format(
      "POST /dns-query HTTP/1.1\r\nHost: dns.example\r\nContent-Length: {}\r\n\r\n{}", body.size(),
      body);
}

}  // namespace

TEST_CASE("DNS over TLS: one message after another, and no half one") {
  auto stream = dns_frame(query_for("a.example"));
  const auto second = dns_frame(query_for("b.example", dns::kAaaa));
  stream.insert(stream.end(), second.begin(), second.end());
  const auto both = read_encrypted_questions(stream);
  CHECK(both.carrier == QuestionCarrier::tls);
  REQUIRE(both.questions.size() == 2);
  CHECK(both.questions[0].query.questions[0].name == "a.example");
  CHECK(both.questions[1].query.questions[0].type == dns::kAaaa);
  stream.pop_back();
  CHECK(read_encrypted_questions(stream).questions.size() == 1);
  CHECK(read_text("a protocol that nobody knows").carrier == QuestionCarrier::none);
}

TEST_CASE("DNS over HTTPS: the body of a POST, once it is whole") {
  const auto whole = post(text(query_for("a.example")));
  const auto found = read_text(whole);
  CHECK(found.carrier == QuestionCarrier::http1);
  REQUIRE(found.questions.size() == 1);
  CHECK(found.questions[0].query.questions[0].name == "a.example");
  const auto half = read_text(whole.substr(0, whole.size() - 1));
  CHECK(half.questions.empty());
  CHECK(half.body_missing);
  CHECK(read_text(post("{\"event\": 1}")).carrier == QuestionCarrier::none);
  CHECK_FALSE(read_text(post(std::string(5000, 'a'))).body_missing);
}

TEST_CASE("DNS over HTTPS: the parameter of a GET") {
  // RFC 8484 section 4.1.1: www.example.com, A
  const auto found = read_text(
      "GET /dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB HTTP/1.1\r\n"
      "Host: dns.example\r\n\r\n");
  CHECK(found.carrier == QuestionCarrier::http1);
  REQUIRE(found.questions.size() == 1);
  CHECK(found.questions[0].query.questions[0].name == "www.example.com");
  CHECK(read_text("GET /?dns=AAAB HTTP/1.1\r\n\r\n").carrier == QuestionCarrier::none);
}

TEST_CASE("the JSON form of public resolvers, and requests that only look like it") {
  const auto found = read_text("GET /resolve?name=a.example&type=28 HTTP/1.1\r\n\r\n");
  CHECK(found.carrier == QuestionCarrier::json);
  REQUIRE(found.questions.size() == 1);
  CHECK(found.questions[0].query.questions[0].type == dns::kAaaa);
  CHECK(read_text("GET /dns-query?name=a.example HTTP/1.1\r\n\r\n").questions.size() == 1);
  CHECK(read_text("GET /download?name=a.tar HTTP/1.1\r\n\r\n").questions.empty());
  CHECK(read_text("GET /resolve?name=a.example&type=99999999 HTTP/1.1\r\n\r\n").questions.size() <=
        1);
}

TEST_CASE("DNS over HTTPS: the body over HTTP/2, in frames and with padding") {
  const auto bytes = file_of(TELLTALE_CORPUS "/encrypted_questions/http2");
  const auto found = read_encrypted_questions(bytes);
  CHECK(found.carrier == QuestionCarrier::http2);
  REQUIRE(found.questions.size() == 1);
  CHECK(found.questions[0].stream == 1);
  CHECK(found.questions[0].query.questions[0].name == "a.example");
  const auto half = read_encrypted_questions(Bytes(bytes).first(bytes.size() - 9));
  CHECK(half.questions.empty());
  CHECK(half.body_missing);
}

TEST_CASE("a real client of HTTP/2 with a form is none, and no truncation of it breaks") {
  const auto bytes = capture("http2/curl-post.bin");
  CHECK(read_encrypted_questions(bytes).carrier == QuestionCarrier::none);
  each_truncation(
      bytes, [](const Octets& part) { CHECK(read_encrypted_questions(part).questions.empty()); });
}
