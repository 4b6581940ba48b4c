// Finds every occurrence of a set of byte strings in a buffer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::canary {

struct Match {
  std::size_t offset = 0;   // of its first byte in the buffer
  std::size_t literal = 0;  // index into the set

  friend bool operator==(const Match&, const Match&) = default;
};

class Matcher {
 public:
  virtual ~Matcher() = default;
  // Appends every occurrence, overlapping ones too, each once, by offset and then by literal. One
  // matcher serves many threads at once.
  virtual void find(std::string_view buffer, std::vector<Match>& found) const = 0;
  // Bytes of the longest literal: what a caller who cuts its data must let its buffers overlap by,
  // less one.
  [[nodiscard]] virtual std::size_t longest() const = 0;
  // Bytes of one literal.
  [[nodiscard]] virtual std::size_t length(std::size_t literal) const = 0;
};

// Makes a matcher of these literals. An argument of the search, so that a later kind (or a test's
// blind one) can take the place of the first.
using MatcherFactory = std::function<std::unique_ptr<Matcher>(std::vector<std::string> literals)>;

// The matcher for up to some thousand literals of at least 4 bytes; see gram_matcher.cpp. Throws
// std::invalid_argument for a shorter literal or an empty set.
[[nodiscard]] std::unique_ptr<Matcher> make_gram_matcher(std::vector<std::string> literals);

}  // namespace telltale::canary
