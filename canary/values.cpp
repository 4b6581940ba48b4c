#include "canary/values.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>

namespace telltale::canary {

namespace {
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
}

Result<std::vector<std::string>> read_values(std::istream& in, const std::string& name) {
  std::vector<std::string> values;
  std::size_t bytes = 0;
  for (std::string line; std::getline(in, line);) {
    bytes += line.size() + 1;
    if (bytes > kMostBytes)
      return fail(Fault::input, fmt::format("{} has more than {} bytes", name, kMostBytes),
                  "give a file of values, one a line");
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) values.push_back(std::move(line));
  }
  if (in.bad()) return fail(Fault::input, name + " could not be read", "give a readable file");
  if (values.empty())
    return fail(Fault::input, name + " holds no value", "write one value on each line of it");
  return values;
}

Result<std::vector<std::string>> read_value_file(const std::string& file,
                                                 std::istream& standard_input) {
  if (file == "-") return read_values(standard_input, "standard input");
  std::ifstream in(file, std::ios::binary);
  // A folder can be opened, and fails at the first read.
  if (in) in.peek();
  if (in.bad() || !in.is_open())
    return fail(Fault::input, fmt::format("{} could not be read: {}", file, std::strerror(errno)),
                "name a file with one value on each line");
  in.clear();
  return read_values(in, file);
}

}  // namespace telltale::canary
