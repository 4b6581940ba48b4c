#include "subject/launch/free_ports.hpp"

#include <set>

#include "support/catch.hpp"

using namespace telltale::subject;

TEST_CASE("ports differ and can be listened on") {
  const auto enclosure = make_plain_enclosure();
  const auto ports = free_ports(*enclosure, 20);
  REQUIRE(ports);
  CHECK(std::set<std::uint16_t>(ports->begin(), ports->end()).size() == 20);
  for (const auto port : *ports) CHECK(enclosure->listen(port));
}

TEST_CASE("no port is wanted, none is given") {
  const auto enclosure = make_plain_enclosure();
  const auto ports = free_ports(*enclosure, 0);
  REQUIRE(ports);
  CHECK(ports->empty());
}
