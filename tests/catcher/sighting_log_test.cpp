#include "catcher/sighting_log.hpp"

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

Sighting logged(const std::string& host, std::uint16_t client_port = 1) {
  Sighting sighting;
  sighting.host = host;
  sighting.client_port = client_port;
  sighting.payload = 2;
  return sighting;
}

}  // namespace

TEST_CASE("the first sightings are kept one by one, later ones that are alike are counted") {
  SightingLog log;
  for (std::size_t i = 0; i < SightingLog::kSeparate + 500; ++i)
    log.add(logged("a.example", static_cast<std::uint16_t>(i)));
  const auto all = log.all();
  CHECK(all.size() == SightingLog::kSeparate);
  CHECK(all[0].count == 501);
  CHECK(all[0].payload == 1002);
  CHECK(log.count() == SightingLog::kSeparate + 500);
  CHECK(log.lost() == 0);
}

TEST_CASE("more different ones than can be kept are lost, and counted so") {
  SightingLog log;
  for (std::size_t i = 0; i < SightingLog::kLimit + 7; ++i) log.add(logged(std::to_string(i)));
  CHECK(log.all().size() == SightingLog::kLimit);
  CHECK(log.lost() == 7);
}

TEST_CASE("what a control expects is noted and not kept") {
  SightingLog log;
  log.expect({"nonce-1", "nonce-2"});
  auto said = logged("b.example");
  said.first_bytes = "xx nonce-2 xx";
  log.add(logged("nonce-1.example"));
  log.add(said);
  log.add(logged("a.example"));
  CHECK(log.seen() == std::set<std::string>{"nonce-1", "nonce-2"});
  CHECK(log.count() == 1);
  log.expect({});
  CHECK(log.seen().empty());
}
