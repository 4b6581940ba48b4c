// Answers from an HTTP archive (HAR 1.2): what a browser or a proxy has recorded is played again.
//
// Read: log.entries, of each the method and URL of the request, and status, headers and content of
// the response. Requests that are alike (method, URL) become one place, whose answers are given in
// the order of the archive. Left out: entries without an answer (status below 200), and fields that
// describe how a message was sent, since its content stands in the archive decoded.
#pragma once

#include <filesystem>
#include <vector>

#include "catcher/answers/answer_table.hpp"

namespace telltale::catcher {

inline constexpr std::size_t kArchiveLimit = 64 * 1024 * 1024;  // bytes of the file

// Fault::input: it cannot be read, is no archive, is larger than that, or answers nothing.
[[nodiscard]] Result<std::vector<AnswerPlace>> read_archive(const std::filesystem::path& file);

}  // namespace telltale::catcher
