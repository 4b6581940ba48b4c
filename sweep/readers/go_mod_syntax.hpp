// The lexical form of go.mod (the Go modules reference, "go.mod files", "Lexical elements" and
// "Grammar"): lines of words, `//` comments, "quoted" and `raw` strings, and blocks in parentheses
// whose lines carry the verb that stands before them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::sweep {

struct GoModLine {
  int number = 0;                  // from 1
  std::vector<std::string> words;  // the verb first, a block's verb on each of its lines
  std::string comment;             // after `//`, trimmed; "indirect" marks a requirement
};

// Fault::input with file:line for a quote or a block that is not closed (a truncated file), a block
// within a block, `/*` comments and control characters.
[[nodiscard]] Result<std::vector<GoModLine>> parse_go_mod_lines(std::string_view text,
                                                                const std::string& file);

// The fix for a go.mod that is not one.
inline constexpr const char* kTidyGoMod =
    "run \"go mod tidy\" in the module's folder, or take the file again";

// "go.mod:12: what" with a fix.
[[nodiscard]] tl::unexpected<Error> line_fault(const std::string& file, int line, std::string what,
                                               std::string fix);

}  // namespace telltale::sweep
