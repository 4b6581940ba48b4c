#include "subject/wire/http_request.hpp"

#include "support/catch.hpp"

using telltale::Fault;
using namespace telltale::subject;

TEST_CASE("a request as bytes") {
  CHECK(render({"GET", "127.0.0.1:80", "/a", {}, {}}).value() ==
        "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUser-Agent: telltale\r\nAccept: */*\r\n\r\n");
  CHECK(render({"POST", "h", "/", {{"X", "y"}}, "body"}).value() ==
        "POST / HTTP/1.1\r\nHost: h\r\nUser-Agent: telltale\r\nAccept: */*\r\nX: y\r\n"
        "Content-Length: 4\r\n\r\nbody");
}

TEST_CASE("headers that are given replace the usual ones") {
  CHECK(
      render({"GET", "h", "/", {{"host", "other"}, {"user-agent", "me"}, {"ACCEPT", "text/*"}}, {}})
          .value() == "GET / HTTP/1.1\r\nhost: other\r\nuser-agent: me\r\nACCEPT: text/*\r\n\r\n");
}

TEST_CASE("a POST without a body says that it has none") {
  CHECK(render({"POST", "h", "/", {}, {}})->find("Content-Length: 0\r\n") != std::string::npos);
  CHECK(render({"DELETE", "h", "/", {}, {}})->find("Content-Length") == std::string::npos);
}

TEST_CASE("nothing can break a request in two") {
  const HttpRequest wrong[] = {{"GET /x", "h", "/", {}, {}},
                               {"", "h", "/", {}, {}},
                               {"GET", "h", "/ HTTP/1.1\r\n", {}, {}},
                               {"GET", "h", "relative", {}, {}},
                               {"GET", "h", "/", {{"A", "b\r\nC: d"}}, {}},
                               {"GET", "h", "/", {{"A:", "b"}}, {}},
                               {"GET", "h", "/", {{"", "b"}}, {}}};
  for (const auto& request : wrong) {
    const auto rendered = render(request);
    REQUIRE_FALSE(rendered);
    CHECK(rendered.error().fault == Fault::input);
    CHECK_FALSE(rendered.error().fix.empty());
  }
}
