// The bytes of a subject.yaml, checked to be text before any parser sees them.
#pragma once

#include <filesystem>
#include <string>

#include "evidence/result.hpp"

namespace telltale::subject {

// A file written by hand is a few kilobytes.
inline constexpr std::size_t kSpecificationLimit = 1024 * 1024;

// The whole file, without its byte order mark. Fault::input when it cannot be read, is a folder,
// empty, larger than the limit, not UTF-8 (RFC 3629), or holds control characters.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& file);

}  // namespace telltale::subject
