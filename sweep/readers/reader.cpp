#include "sweep/readers/reader.hpp"

#include <fmt/core.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "evidence/subject_stamp.hpp"
#include "sweep/readers/go_readers.hpp"

namespace telltale::sweep {

const std::vector<const Reader*>& readers() {
  static const std::vector<const Reader*> all = {&go_binary_reader(), &go_mod_reader(),
                                                 &go_sum_reader()};
  return all;
}

std::string known_inputs() {
  std::string list;
  for (const auto* reader : readers()) {
    if (!list.empty()) list += ", ";
    list += reader->description();
  }
  return list;
}

namespace {

constexpr std::size_t kFirstBytes = 512;

tl::unexpected<Error> unreadable(const std::filesystem::path& file) {
  return fail(Fault::input, fmt::format("{}: {}", file.string(), std::strerror(errno)),
              "give a file that exists and that you may read");
}

Result<std::string> first_bytes(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return fail(Fault::input, fmt::format("{} is a folder", file.string()),
                "give the file itself: " + known_inputs());
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) return unreadable(file);
  std::string bytes(kFirstBytes, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes.empty())
    return fail(Fault::input, fmt::format("{} is empty", file.string()),
                "let the tool that writes it write it again; an empty list proves nothing");
  return bytes;
}

bool is_html(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (start == std::string_view::npos) return false;
  const auto rest = text.substr(start, 9);
  std::string lower;
  for (const char c : rest) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.starts_with("<!doctype") || lower.starts_with("<html") || lower.starts_with("<?xml");
}

tl::unexpected<Error> html(const std::filesystem::path& file) {
  return fail(Fault::input, fmt::format("{} is a web page, not a lockfile", file.string()),
              "download the raw file; a login or error page was saved in its place");
}

}  // namespace

Result<std::string> read_text(const std::filesystem::path& file, std::size_t limit) {
  auto first = first_bytes(file);
  if (!first) return pass_on(first.error());
  if (is_html(*first)) return html(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) return unreadable(file);
  std::string text(limit + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > limit)
    return fail(Fault::input, fmt::format("{} is larger than {} bytes", file.string(), limit),
                "give the lockfile itself");
  if (text.find('\0') != std::string::npos)
    return fail(Fault::input, fmt::format("{} holds binary data", file.string()),
                "give the lockfile as text");
  return text;
}

Result<Reading> read_modules(const std::filesystem::path& file) {
  auto first = first_bytes(file);
  if (!first) return pass_on(first.error());
  if (is_html(*first)) return html(file);
  for (const auto* reader : readers()) {
    if (!reader->recognises(file, *first)) continue;
    auto reading = reader->read(file);
    if (reading && reading->modules.empty())
      return fail(Fault::input, fmt::format("{} names no module", file.string()),
                  "an empty list proves nothing; give the file of a program that has dependencies");
    if (reading && reading->weaker)
      if (const auto sum = evidence::sha256_of_file(file))
        reading->facts.emplace_back("its SHA-256", *sum);
    return reading;
  }
  return fail(Fault::input, fmt::format("{} is no file that names modules", file.string()),
              "inputs that work: " + known_inputs());
}

}  // namespace telltale::sweep
