// What a stranger said, for a message: the subject's answers, its output, a text of subject.yaml.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace telltale::subject {

// "GET\r\n" in double quotes, made visible (evidence/characters.hpp). What is longer than `limit`
// bytes is cut between two characters: "abc" and 1200 bytes more.
[[nodiscard]] std::string quote(std::string_view text, std::size_t limit = 160);

}  // namespace telltale::subject
