#include "subject/wire/url.hpp"

#include "support/catch.hpp"

using telltale::Fault;
using telltale::subject::parse_url;

TEST_CASE("a URL in its parts") {
  const auto url = parse_url("https://127.0.0.1:8443/a/b?c=d#part");
  REQUIRE(url);
  CHECK(url->tls);
  CHECK(url->host == "127.0.0.1");
  CHECK(url->port == 8443);
  CHECK(url->authority == "127.0.0.1:8443");
  CHECK(url->target == "/a/b?c=d");
}

TEST_CASE("what a URL may leave out") {
  CHECK(parse_url("http://localhost")->target == "/");
  CHECK(parse_url("http://localhost")->port == 80);
  CHECK(parse_url("https://localhost")->port == 443);
  CHECK(parse_url("http://localhost?q=1")->target == "/?q=1");
  const auto six = parse_url("http://[::1]:81/x");
  CHECK(six->host == "::1");
  CHECK(six->port == 81);
  CHECK(six->authority == "[::1]:81");
}

TEST_CASE("what is no URL of a door") {
  for (const char* text :
       {"", "127.0.0.1:80", "ftp://127.0.0.1/", "http://", "http://:80/", "http://h:/",
        "http://h:0/", "http://h:65536/", "http://h:8x/", "http://[::1/", "http://[::1]x/",
        "http://h/a b", "http://h/\r\nX: y", "http://h/\xc3\xa9", "http://user:secret@h/"}) {
    INFO(text);
    const auto url = parse_url(text);
    REQUIRE_FALSE(url);
    CHECK(url.error().fault == Fault::input);
    CHECK_FALSE(url.error().fix.empty());
    CHECK(url.error().what.find("secret") == std::string::npos);
  }
}
