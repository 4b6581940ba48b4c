#include "catcher/name_table.hpp"

#include <fmt/core.h>

#include "support/catch.hpp"

using telltale::catcher::NameAddresses;
using telltale::catcher::NameTable;

namespace {

std::string four(const NameAddresses& addresses) {
  const auto& a = addresses.four;
  return fmt::format("{}.{}.{}.{}", a[0], a[1], a[2], a[3]);
}

}  // namespace

TEST_CASE("a name keeps its address, another has another, and the address leads back") {
  NameTable table;
  const auto first = table.addresses_of("a.example");
  CHECK(four(first) == "198.18.0.1");
  CHECK(four(table.addresses_of("b.example")) == "198.18.0.2");
  CHECK(table.addresses_of("a.example").six == first.six);
  CHECK(table.name_of("198.18.0.1") == "a.example");
  CHECK(table.name_of("::ffff:198.18.0.2") == "b.example");
  CHECK(table.name_of("2001:2::2") == "b.example");
}

TEST_CASE("addresses that were given to nobody") {
  NameTable table;
  CHECK_FALSE(table.addresses_of("a.example").four.empty());
  for (const auto* address : {"198.18.0.0", "198.18.0.2", "198.20.0.1", "192.0.2.1", "2001:2::",
                              "2001:2::2", "2001:2:0:1::1", "2001:db8::1", "no address", ""})
    CHECK_FALSE(table.name_of(address));
}

TEST_CASE("names without end share the last address, which says so") {
  NameTable table;
  for (std::size_t i = 0; i < NameTable::kLimit + 10; ++i)
    (void)table.addresses_of(std::to_string(i));
  CHECK(table.size() == NameTable::kLimit);
  const auto shared = four(table.addresses_of("one more"));
  CHECK(table.name_of(shared) == std::string(NameTable::kOverflow));
  CHECK(table.name_of(four(table.addresses_of("65533"))) == "65533");
}

TEST_CASE("long names do not fill the memory") {
  NameTable table;
  for (int i = 0; i < 40'000; ++i)
    (void)table.addresses_of(std::string(240, 'a') + std::to_string(i));
  CHECK(table.size() < 20'000);
  CHECK(table.size() * 241 <= NameTable::kByteLimit);
}
