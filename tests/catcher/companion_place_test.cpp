#include "catcher/companion_place.hpp"

#include "support/catch.hpp"

using namespace telltale::catcher;
using telltale::subject::Companion;

namespace {

Companion companion(const std::string& name, const std::string& host, int port) {
  Companion made;
  made.name = name;
  made.host = host;
  made.port = port;
  return made;
}

}  // namespace

TEST_CASE("each name has an address of its own on the loopback, and a shared name one for all") {
  const auto places = companion_places({companion("db", "db.internal", 5432),
                                        companion("cache", "cache.internal", 6379),
                                        companion("admin", "db.internal", 8080)});
  CHECK(places[0].address == "127.77.0.2");
  CHECK(places[1].address == "127.77.0.3");
  CHECK(places[2].address == places[0].address);
  CHECK(place_named("DB.internal", places)->name == "db");
  CHECK(place_named("other", places) == nullptr);
  CHECK(place_at("127.77.0.2", 5432, places)->name == "db");
  CHECK(place_at("127.77.0.2", 8080, places)->name == "admin");
  CHECK(place_at("127.77.0.2", 9, places)->name == "db");
  CHECK(place_at("127.0.0.1", 5432, places) == nullptr);
}
