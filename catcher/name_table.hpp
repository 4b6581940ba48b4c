// An address of its own for every name that is asked for, and the way back: a connection to the
// address is a connection to the name.
//
// From 198.18.0.0/15 (RFC 2544, set aside for measurements) and 2001:2::/48 (RFC 5180): nobody's,
// and not among the addresses that programs treat as local. One name has the same number in both.
// Safe to use from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace telltale::catcher {

struct NameAddresses {
  std::array<std::uint8_t, 4> four{};
  std::array<std::uint8_t, 16> six{};
};

class NameTable {
 public:
  // Names that get an address of their own, and their bytes; all others share the last one, whose
  // name is kOverflow: a subject that asks for endless names must not fill the memory.
  static constexpr std::size_t kLimit = 65'534;
  static constexpr std::size_t kByteLimit = 4 * 1024 * 1024;
  static constexpr std::string_view kOverflow = "one of too many names";

  [[nodiscard]] NameAddresses addresses_of(const std::string& name);

  // `address` is numeric, IPv4, IPv6 or IPv4-mapped. Empty for one that was given to no name.
  [[nodiscard]] std::optional<std::string> name_of(const std::string& address) const;

  [[nodiscard]] std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // from 1
  std::vector<const std::string*> names_;                   // by number, from 1
  std::size_t bytes_ = 0;
};

}  // namespace telltale::catcher
