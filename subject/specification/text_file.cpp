#include "subject/specification/text_file.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "evidence/characters.hpp"
#include "subject/specification/mistakes.hpp"

namespace telltale::subject {

namespace {

constexpr const char* kUseUtf8 = "save it as UTF-8 text";

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
}

std::optional<Mistake> first_bad_character(std::string_view text) {
  Place place{1, 1};
  for (std::size_t at = 0; at < text.size();) {
    const auto length = evidence::decode_utf8(text, at).length;
    const auto byte = static_cast<unsigned>(static_cast<unsigned char>(text[at]));
    if (length == 0)
      return Mistake{place, fmt::format("byte 0x{:02x} is not UTF-8 text", byte), kUseUtf8};
    if (is_control(text[at]))
      return Mistake{place,
                     fmt::format("control character 0x{:02x}: this is not a text file", byte),
                     "give the subject.yaml, not the program; inside quotes such a character is "
                     "written \"\\x00\""};
    place = text[at] == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
    at += length;
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> read_text_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return fail(Fault::input, fmt::format("{} is a folder", file.string()),
                "name the subject.yaml inside it");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text(kSpecificationLimit + 1, '\0');
  if (stream) stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad())
    return fail(Fault::input,
                fmt::format("{} cannot be read: {}", file.string(), std::strerror(errno)),
                "check the path and its permissions");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kSpecificationLimit)
    return fail(Fault::input, fmt::format("{} is larger than 1 MiB", file.string()),
                "a subject.yaml is a few kilobytes; name the right file");
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  if (auto bad = first_bad_character(text)) return pass_on(error_at(file.string(), *bad));
  return text;
}

}  // namespace telltale::subject
