#include "canary/values.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>

namespace telltale::canary {

namespace {
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // of UTF-8
}  // namespace

Result<std::vector<std::string>> read_values(std::istream& in, const std::string& name,
                                             const Warn& warn) {
  std::vector<std::string> values;
  std::size_t bytes = 0;
  for (std::string line; std::getline(in, line);) {
    bytes += line.size() + 1;
    if (bytes > kMostBytes)
      return fail(Fault::input, fmt::format("{} has more than {} bytes", name, kMostBytes),
                  "give a file of values, one a line");
    if (bytes == line.size() + 1 && line.starts_with(kByteOrderMark)) {
      line.erase(0, kByteOrderMark.size());
      warn(name + " begins with a byte order mark, which was left out");
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.ends_with(' ') || line.ends_with('\t'))
      warn(fmt::format("value {} of {} ends in a blank, which is searched for as a part of it",
                       values.size() + 1, name));
    if (!line.empty()) values.push_back(std::move(line));
  }
  if (in.bad()) return fail(Fault::input, name + " could not be read", "give a readable file");
  if (values.empty())
    return fail(Fault::input, name + " holds no value", "write one value on each line of it");
  return values;
}

Result<std::vector<std::string>> read_value_file(const std::string& file,
                                                 std::istream& standard_input, const Warn& warn) {
  if (file == "-") return read_values(standard_input, "standard input", warn);
  std::ifstream in(file, std::ios::binary);
  // A folder can be opened, and fails at the first read.
  if (in) in.peek();
  if (in.bad() || !in.is_open())
    return fail(Fault::input, fmt::format("{} could not be read: {}", file, std::strerror(errno)),
                "name a file with one value on each line");
  in.clear();
  return read_values(in, file, warn);
}

}  // namespace telltale::canary
