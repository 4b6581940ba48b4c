// The bytes of fixtures/captures; ORIGIN.md there says where they are from.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "catcher/wire/reader.hpp"

namespace telltale::test {

using Octets = std::vector<std::uint8_t>;

inline Octets capture(const std::string& name) {
  std::ifstream file(std::string(TELLTALE_FIXTURES "/captures/") + name, std::ios::binary);
  Octets bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.empty()) throw std::runtime_error("no capture " + name);
  return bytes;
}

inline Octets from_hex(const std::string& hex) {
  Octets bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(at, 2), nullptr, 16)));
  return bytes;
}

// `check` sees every shorter beginning, each in memory of its own length, so that a sanitizer sees
// a read past its end.
template <class Check>
void each_truncation(const Octets& bytes, Check check) {
  for (std::size_t length = 0; length < bytes.size(); ++length)
    check(Octets(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)));
}

}  // namespace telltale::test
