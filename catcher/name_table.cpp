#include "catcher/name_table.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace telltale::catcher {

namespace {

constexpr std::uint32_t kFirstFour = 198u << 24 | 18u << 16;
constexpr std::uint32_t kFourMask = 0xfffe0000;  // a /15
constexpr std::array<std::uint8_t, 12> kSixPrefix = {0x20, 0x01, 0x00, 0x02};
constexpr std::uint32_t kSharedNumber = NameTable::kLimit + 1;

NameAddresses addresses_of_number(std::uint32_t number) {
  NameAddresses addresses;
  const std::uint32_t four = htonl(kFirstFour | number);
  std::memcpy(addresses.four.data(), &four, sizeof four);
  std::copy(kSixPrefix.begin(), kSixPrefix.end(), addresses.six.begin());
  const std::uint32_t low = htonl(number);
  std::memcpy(addresses.six.data() + kSixPrefix.size(), &low, sizeof low);
  return addresses;
}

std::uint32_t number_in(const in_addr& address) {
  const auto value = ntohl(address.s_addr);
  return (value & kFourMask) == kFirstFour ? value & ~kFourMask : 0;
}

// 0: not one of ours.
std::uint32_t number_of_address(const std::string& address) {
  in_addr four{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) return number_in(four);
  in6_addr six{};
  if (inet_pton(AF_INET6, address.c_str(), &six) != 1) return 0;
  std::uint32_t low = 0;
  std::memcpy(&low, six.s6_addr + kSixPrefix.size(), sizeof low);
  if (IN6_IS_ADDR_V4MAPPED(&six)) return number_in({low});
  return std::equal(kSixPrefix.begin(), kSixPrefix.end(), six.s6_addr) ? ntohl(low) : 0;
}

}  // namespace

NameAddresses NameTable::addresses_of(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return addresses_of_number(known->second);
  if (names_.size() >= kLimit || bytes_ + name.size() > kByteLimit)
    return addresses_of_number(kSharedNumber);
  bytes_ += name.size();
  const auto number = static_cast<std::uint32_t>(names_.size() + 1);
  names_.push_back(&numbers_.emplace(name, number).first->first);
  return addresses_of_number(number);
}

std::optional<std::string> NameTable::name_of(const std::string& address) const {
  const auto number = number_of_address(address);
  const std::lock_guard lock(mutex_);
  if (number == kSharedNumber) return std::string(kOverflow);
  if (number == 0 || number > names_.size()) return {};
  return *names_[number - 1];
}

std::size_t NameTable::size() const {
  const std::lock_guard lock(mutex_);
  return names_.size();
}

}  // namespace telltale::catcher
