#include "support/baseline.hpp"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "support/temporary_folder.hpp"

namespace telltale::test {

std::string normalised(std::string text) {
  const auto replace = [&](const char* pattern, const char* word) {
    text = std::regex_replace(text, std::regex(pattern), word);
  };
  replace(R"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)", "<time>");
  replace(R"(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC)", "<time>");
  replace(R"(\b[0-9a-f]{64}\b)", "<sha256>");
  replace(R"(\b[0-9a-f]{40}\b)", "<commit>");
  replace(R"([^ "]*/telltale-test-[A-Za-z0-9]{6})", "<folder>");
  return text;
}

std::string baseline_difference(const std::filesystem::path& file, const std::string& text) {
  if (std::getenv("UPDATE_BASELINES") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return {};
  }
  const auto approved = read_file(file);
  if (approved == text) return {};
  std::istringstream expected(approved);
  std::istringstream actual(text);
  std::string a;
  std::string b;
  for (int line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(expected, a));
    const bool more_b = static_cast<bool>(std::getline(actual, b));
    if (more_a && more_b && a == b) continue;
    return file.string() + ":" + std::to_string(line) +
           ":\n  approved: " + (more_a ? a : "(nothing)") +
           "\n  now:      " + (more_b ? b : "(nothing)") +
           "\n  UPDATE_BASELINES=1 accepts the change";
  }
}

}  // namespace telltale::test
