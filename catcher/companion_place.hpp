// Where the companions of a run are: the names that the subject asks for, and the addresses that
// the resolver gives out for them.
//
// An address of the loopback, one a name, from 127.77.0.0/16: it exists in every network namespace
// and leads nowhere else, so what goes there stays inside by topology. The peer's address is
// 127.0.0.1, which the default rules of most servers trust.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subject/specification.hpp"

namespace telltale::catcher {

struct CompanionPlace {
  std::string name;     // of the companion
  std::string host;     // "db.internal", in lower case
  std::string address;  // "127.77.0.1"
  std::uint16_t port = 0;
};

// In the order of the file; companions with one host have one address.
[[nodiscard]] std::vector<CompanionPlace> companion_places(
    const std::vector<subject::Companion>& companions);

// nullptr: none of them. A name is known in any case; of several companions at one address the port
// decides, where one has it.
[[nodiscard]] const CompanionPlace* place_named(const std::string& host,
                                                const std::vector<CompanionPlace>& places);
[[nodiscard]] const CompanionPlace* place_at(const std::string& address, std::uint16_t port,
                                             const std::vector<CompanionPlace>& places);

}  // namespace telltale::catcher
