#include "catcher/request_target.hpp"

#include "support/catch.hpp"

using telltale::catcher::destination_of;

TEST_CASE("a proxy request names its destination") {
  struct Case {
    const char *method, *target, *host;
    std::uint16_t port;
  };
  const Case cases[] = {
      {"CONNECT", "a.example:443", "a.example", 443},
      {"CONNECT", "a.example:8443", "a.example", 8443},
      {"CONNECT", "a.example", "a.example", 443},
      {"CONNECT", "[2001:db8::1]:443", "2001:db8::1", 443},
      {"GET", "http://a.example/x?y=http://b.example/", "a.example", 80},
      {"GET", "http://a.example:8080", "a.example", 8080},
      {"POST", "https://a.example/", "a.example", 443},
      {"GET", "http://user:secret@a.example/", "a.example", 80},
      {"GET", "http://[::1]:81/", "::1", 81},
      {"GET", "http://a.example:notaport/", "a.example", 80},
      {"GET", "/origin/form", "", 0},
      {"OPTIONS", "*", "", 0},
      {"CONNECT", "[broken", "[broken", 443},
  };
  for (const auto& row : cases) {
    INFO(row.method << ' ' << row.target);
    const auto destination = destination_of(row.method, row.target);
    CHECK(destination.host == row.host);
    CHECK(destination.port == row.port);
  }
}
