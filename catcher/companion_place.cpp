#include "catcher/companion_place.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace telltale::catcher {

std::vector<CompanionPlace> companion_places(const std::vector<subject::Companion>& companions) {
  std::vector<CompanionPlace> places;
  for (const auto& companion : companions) {
    const auto same = std::find_if(places.begin(), places.end(),
                                   [&](const auto& place) { return place.host == companion.host; });
    const auto number = places.size() + 1;
    places.push_back({companion.name, companion.host,
                      same == places.end()
                          ? fmt::format("127.77.{}.{}", number / 250, number % 250 + 1)
                          : same->address,
                      static_cast<std::uint16_t>(companion.port)});
  }
  return places;
}

const CompanionPlace* place_named(const std::string& host,
                                  const std::vector<CompanionPlace>& places) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto at = std::find_if(places.begin(), places.end(), [&](const auto& place) {
    return std::equal(host.begin(), host.end(), place.host.begin(), place.host.end(), same);
  });
  return at == places.end() ? nullptr : &*at;
}

const CompanionPlace* place_at(const std::string& address, std::uint16_t port,
                               const std::vector<CompanionPlace>& places) {
  const CompanionPlace* found = nullptr;
  for (const auto& place : places)
    if (place.address == address && (found == nullptr || place.port == port)) found = &place;
  return found;
}

}  // namespace telltale::catcher
