#include "catcher/answers/answer_table.hpp"

#include "support/catch.hpp"

using namespace telltale::catcher;
using telltale::subject::AnswerEntry;

namespace {

AnswerEntry entry(std::string host, int port, std::string path, int status = 200) {
  AnswerEntry made;
  made.host = std::move(host);
  made.port = port;
  made.path = std::move(path);
  made.status = status;
  return made;
}

int status_of(AnswerTable& table, const AskedRequest& request) {
  const auto* answer = table.ask(request);
  return answer == nullptr ? 0 : answer->status;
}

}  // namespace

TEST_CASE("the first place that fits answers: host, port, method and path") {
  auto only_post = entry("idp.example", 80, "/token", 201);
  only_post.method = "POST";
  const auto table = AnswerTable::make({only_post, entry("idp.example", 0, "", 404),
                                        entry("flags.example", 8080, "/v1/*", 202)})
                         .value();
  CHECK(status_of(*table, {"idp.example", 80, "POST", "/token"}) == 201);
  CHECK(status_of(*table, {"IDP.Example", 80, "POST", "/token?x=1"}) == 201);
  CHECK(status_of(*table, {"idp.example", 80, "GET", "/token"}) == 404);
  CHECK(status_of(*table, {"idp.example", 81, "POST", "/token"}) == 404);
  CHECK(status_of(*table, {"flags.example", 8080, "GET", "/v1/a"}) == 202);
  CHECK(status_of(*table, {"flags.example", 8080, "GET", "/v1/a/b"}) == 0);
  CHECK(status_of(*table, {"flags.example", 80, "GET", "/v1/a"}) == 0);
  CHECK(status_of(*table, {"other.example", 80, "GET", "/"}) == 0);
}

TEST_CASE("whom the table knows, for who has not read a request yet") {
  const auto table =
      AnswerTable::make({entry("a.example", 80, "/x"), entry("b.example", 0, "/")}).value();
  CHECK(table->knows("a.example"));
  CHECK(table->knows("A.example", 80));
  CHECK_FALSE(table->knows("a.example", 443));
  CHECK(table->knows("b.example", 443));
  CHECK_FALSE(table->knows("c.example"));
}

TEST_CASE("what was played is a row, and what was never asked for is one") {
  const auto table =
      AnswerTable::make({entry("a.example", 80, "/x"), entry("2001:db8::1", 0, "")}).value();
  CHECK(table->played().empty());
  CHECK(table->ask({"a.example", 80, "GET", "/x"}) != nullptr);
  CHECK(table->ask({"a.example", 80, "GET", "/x?again"}) != nullptr);
  CHECK(table->played() == std::vector<std::string>{"a.example:80 by the file"});
  const auto rows = table->rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name() == "answered inside");
  CHECK(std::get<std::string>(rows[0].value()) == "a.example:80/x");
  CHECK(rows[0].note() == "200, by the file, 2 times");
  CHECK(rows[1].name() == "answer never asked for");
  CHECK(std::get<std::string>(rows[1].value()) == "[2001:db8::1]/**");
}

TEST_CASE("path and query of a target") {
  CHECK(path_and_query("/a?b") == "/a?b");
  CHECK(path_and_query("http://h/a?b") == "/a?b");
  CHECK(path_and_query("http://h") == "/");
  CHECK(path_and_query("http://h?b") == "/?b");
  CHECK(path_and_query("h:443").empty());
  CHECK(path_and_query("*").empty());
}

TEST_CASE("an answer over HTTP/1 is framed by us, whatever the file's fields say") {
  PlayedAnswer answer{201,
                      {{"X-A", "1"}, {"content-length", "9"}, {"Connection", "keep-alive"}},
                      "hello",
                      "the file"};
  CHECK(http1_message(answer, "GET") ==
        "HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
  CHECK(http1_message(answer, "HEAD") ==
        "HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 5\r\nConnection: close\r\n\r\n");
  answer.status = 204;
  CHECK(http1_message(answer, "GET") ==
        "HTTP/1.1 204 No Content\r\nX-A: 1\r\nConnection: close\r\n\r\n");
}

TEST_CASE("an answer over HTTP/2: settings acknowledged, a block of literals, the body in frames") {
  const PlayedAnswer answer{
      200, {{"X-Name", std::string(200, 'v')}}, std::string(20'000, 'b'), "f"};
  const auto bytes = http2_message(answer, 5, "GET");
  CHECK(bytes.substr(0, 9) == std::string("\0\0\0\4\1\0\0\0\0", 9));
  // Length 214: 5 of ":status: 200", 1 + 1 + 6 of the name, 2 + 199... of the value.
  CHECK(bytes.substr(9, 9) == std::string("\0\0\xd7\1\4\0\0\0\5", 9));
  CHECK(bytes.substr(18, 5) == std::string("\x08\x03"
                                           "200",
                                           5));
  CHECK(bytes.substr(23, 8) == std::string("\0\6x-name", 8));
  CHECK(bytes.substr(31, 2) == "\x7f\x49");  // 127 + 73
  const auto first = 18 + 215;
  CHECK(bytes.substr(first, 9) == std::string("\0\x40\0\0\0\0\0\0\5", 9));
  CHECK(bytes.substr(first + 9 + 16'384, 9) == std::string("\0\x0e\x20\0\1\0\0\0\5", 9));
  CHECK(http2_message(answer, 5, "HEAD").size() == 18 + 215);
  CHECK(http2_message({200, {}, std::string(kHttp2Body + 1, 'b'), "f"}, 1, "GET").empty());
}
