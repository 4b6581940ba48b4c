// What an answer must be, for doors that read until it is.
#pragma once

#include <cstddef>
#include <string_view>

#include "subject/specification.hpp"

namespace telltale::subject {

// True when nothing is expected in particular.
[[nodiscard]] bool unspecific(const Expectation& expect);

// starts_with, contains and equals hold for the text; for an unspecific one: it is not empty.
[[nodiscard]] bool text_meets(const Expectation& expect, std::string_view text);

// The same for a text that grows: what was searched once is not searched again.
class GrowingText {
 public:
  explicit GrowingText(const Expectation& expect) : expect_(expect) {}
  [[nodiscard]] bool meets(std::string_view text);
  // No byte that may still come can make it hold: it starts or goes on otherwise.
  [[nodiscard]] bool cannot_meet(std::string_view text) const;

 private:
  const Expectation& expect_;
  std::size_t searched_ = 0;  // `contains` does not begin before this byte
  bool contained_ = false;
};

}  // namespace telltale::subject
