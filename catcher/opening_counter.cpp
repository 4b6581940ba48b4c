#include "catcher/opening_counter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

namespace telltale::catcher {

namespace {

using Text = std::array<char, 4096>;

subject::FileDescriptor open_of_this_network(const std::string& name) {
  return subject::FileDescriptor(
      ::open(("/proc/thread-self/net/" + name).c_str(), O_RDONLY | O_CLOEXEC));
}

// Empty: it could not be read.
std::string_view whole(const subject::FileDescriptor& file, Text& text) {
  const auto bytes = file.valid() ? pread(file.get(), text.data(), text.size() - 1, 0) : -1;
  if (bytes <= 0) return {};
  text[static_cast<std::size_t>(bytes)] = '\0';
  return {text.data(), static_cast<std::size_t>(bytes)};
}

// "Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens ...", and a line of values.
bool read_opened(std::string_view text, std::uint64_t& active, std::uint64_t& passive) {
  constexpr std::string_view kLine = "\nTcp: ";
  const auto names = text.find(kLine);
  const auto values = names == text.npos ? names : text.find(kLine, names + kLine.size());
  return values != text.npos && std::sscanf(text.data() + values + kLine.size(),
                                            "%*s %*s %*s %*s %lu %lu", &active, &passive) == 2;
}

// "TCP: inuse 5 orphan 0 ...", "TCP6: inuse 0"
bool read_in_use(std::string_view text, std::string_view line, std::uint64_t& count) {
  const auto at = text.find(line);
  return at != text.npos && std::sscanf(text.data() + at + line.size(), "%lu", &count) == 1;
}

}  // namespace

OpeningCounter OpeningCounter::open() {
  OpeningCounter made;
  made.opened_ = open_of_this_network("snmp");
  made.in_use4_ = open_of_this_network("sockstat");
  made.in_use6_ = open_of_this_network("sockstat6");
  return made;
}

bool OpeningCounter::read(Counts& counts) {
  Text text;
  return read_opened(whole(opened_, text), counts[0], counts[1]) &&
         read_in_use(whole(in_use4_, text), "TCP: inuse ", counts[2]) &&
         read_in_use(whole(in_use6_, text), "TCP6: inuse ", counts[3]);
}

bool OpeningCounter::changed() {
  Counts now{};
  const bool read_now = read(now);
  const bool same = known_ && read_now && now == last_;
  last_ = now;
  known_ = read_now;
  return !same;
}

}  // namespace telltale::catcher
