// What an answer must be, for doors that read until it is.
#pragma once

#include <string_view>

#include "subject/specification.hpp"

namespace telltale::subject {

// True when nothing is expected in particular.
[[nodiscard]] bool unspecific(const Expectation& expect);

// starts_with, contains and equals hold for the text; for an unspecific one: it is not empty.
[[nodiscard]] bool text_meets(const Expectation& expect, std::string_view text);

// No byte that may still come can make it hold: it starts or goes on otherwise.
[[nodiscard]] bool text_cannot_meet(const Expectation& expect, std::string_view text);

}  // namespace telltale::subject
