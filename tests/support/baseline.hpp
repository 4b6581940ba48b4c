// Approved baselines: what a format printed when a person last read it and agreed.
//
//   CHECK(baseline_difference(folder / "mixed.approved.txt", normalised(text)) == "");
//
// One command accepts a change:  UPDATE_BASELINES=1 build/dev/bin/evidence_test "[baseline]"
// Then read the difference with git before you commit it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace telltale::test {

// Points in time, SHA-256, commits and the temporary folder, replaced by <time>, <sha256>, ...
[[nodiscard]] std::string normalised(std::string text);

// "" when `text` equals the file; else the first line that differs, both ways. With
// UPDATE_BASELINES in the environment the file is written, and "" returned.
[[nodiscard]] std::string baseline_difference(const std::filesystem::path& file,
                                              const std::string& text);

}  // namespace telltale::test
