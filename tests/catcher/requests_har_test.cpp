#include "catcher/requests_har.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/json_schema.hpp"

using namespace telltale::catcher;
using nlohmann::json;
using telltale::test::schema_faults;

namespace {

Sighting har_sighting(const std::string& method, const std::string& target) {
  Sighting sighting;
  sighting.observer = "answerer";
  sighting.at = telltale::evidence::now();
  sighting.launch = 1;
  sighting.phase = "start";
  sighting.protocol = "tcp";
  sighting.host = "a.example";
  sighting.address = "198.18.0.1";
  sighting.port = 80;
  sighting.client_port = 5000;
  sighting.method = method;
  sighting.target = target;
  sighting.header_names = {"Host", "Authorization"};
  return sighting;
}

json har_of(std::vector<Sighting> sightings) {
  auto har = requests_har(std::move(sightings), "1.0");
  for (const auto& fault : schema_faults(TELLTALE_HAR_SCHEMA, har)) FAIL_CHECK(fault);
  return har.at("log");
}

}  // namespace

TEST_CASE("requests become entries of HTTP Archive 1.2, by time; what is no request does not") {
  auto later = har_sighting("POST", "http://a.example/v1?key=1&flag#top");
  later.at += std::chrono::seconds(1);
  later.said = "POST http://a.example/v1 over HTTP/2";
  const auto log = har_of({later, har_sighting("GET", "http://a.example/"), har_sighting("", "")});
  REQUIRE(log.at("entries").size() == 2);
  const auto& first = log.at("entries")[0];
  CHECK(first.at("request").at("method") == "GET");
  CHECK(first.at("serverIPAddress") == "198.18.0.1");
  CHECK(first.at("request").at("headers")[1] == json{{"name", "Authorization"}, {"value", ""}});
  const auto& second = log.at("entries")[1].at("request");
  CHECK(second.at("httpVersion") == "HTTP/2");
  CHECK(second.at("queryString") ==
        json::array({{{"name", "key"}, {"value", "1"}}, {{"name", "flag"}, {"value", ""}}}));
}

TEST_CASE("targets that are no URL are made one") {
  auto tunnel = har_sighting("CONNECT", "a.example:443");
  tunnel.protocol = "proxy";
  tunnel.port = 443;
  auto six = har_sighting("GET", "/x");
  six.host = six.address = "2001:2::1";
  const auto log = har_of({tunnel, six, har_sighting("OPTIONS", "*"), har_sighting("GET", "")});
  CHECK(log.at("entries")[0].at("request").at("url") == "https://a.example:443/");
  CHECK(log.at("entries")[0].at("response").at("status") == 502);
  CHECK(log.at("entries")[1].at("request").at("url") == "http://[2001:2::1]:80/x");
  CHECK(log.at("entries")[2].at("request").at("url") == "http://a.example:80/");
}

TEST_CASE("a hostile target stays a URL") {
  const auto log = har_of({har_sighting("GET", "http://a.example/\\x01 <b>\"\xc3\xa9")});
  CHECK(log.at("entries")[0].at("request").at("url") ==
        "http://a.example/%5Cx01%20%3Cb%3E%22%C3%A9");
}

TEST_CASE("requests without end are counted") {
  const auto log = har_of(std::vector<Sighting>(kHarEntries + 3, har_sighting("GET", "/")));
  CHECK(log.at("entries").size() == kHarEntries);
  CHECK(log.at("comment") == "3 later requests are not listed");
}

TEST_CASE("the schema of the archive refuses what is none") {
  const auto har = requests_har({har_sighting("GET", "/")}, "1.0");
  for (const auto* path : {"/log/version", "/log/entries/0/request/method",
                           "/log/entries/0/startedDateTime", "/log/entries/0/response/content"}) {
    auto broken = har;
    broken[json::json_pointer(path)] = 7;
    CHECK_FALSE(schema_faults(TELLTALE_HAR_SCHEMA, broken).empty());
  }
}
