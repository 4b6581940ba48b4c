#include "sweep/readers/go_mod_syntax.hpp"

#include <fmt/core.h>

#include "sweep/text.hpp"

namespace telltale::sweep {

tl::unexpected<Error> line_fault(const std::string& file, int line, std::string what,
                                 std::string fix) {
  return fail(Fault::input, fmt::format("{}:{}: {}", file, line, what), std::move(fix));
}

namespace {

class Scanner {
 public:
  Scanner(std::string_view line, const std::string& file, int number)
      : rest_(line), file_(file), number_(number) {}

  Result<GoModLine> scan() {
    GoModLine line;
    line.number = number_;
    for (;;) {
      const auto start = rest_.find_first_not_of(" \t\r");
      if (start == std::string_view::npos) return line;
      rest_.remove_prefix(start);
      if (rest_.starts_with("//")) {
        line.comment = std::string(trim(rest_.substr(2)));
        return line;
      }
      auto word = next_word();
      if (!word) return pass_on(word.error());
      line.words.push_back(*std::move(word));
    }
  }

 private:
  Result<std::string> next_word() {
    if (rest_[0] == '"') return interpreted();
    if (rest_[0] == '`') return raw();
    if (std::string_view("()[],").find(rest_[0]) != std::string_view::npos) return take(1);
    std::size_t end = 0;
    while (end < rest_.size() && !ends_word(rest_.substr(end))) ++end;
    if (rest_.substr(end).starts_with("/*"))
      return line_fault(file_, number_, "go.mod has no /* comments */", kTidyGoMod);
    return take(end);
  }

  static bool ends_word(std::string_view rest) {
    return std::string_view(" \t\r()[],\"`").find(rest[0]) != std::string_view::npos ||
           rest.starts_with("//") || rest.starts_with("/*");
  }

  Result<std::string> interpreted() {
    std::string word;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return word;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size()) ++i;
      word += rest_[i];
    }
    return line_fault(file_, number_, "a quote is not closed", kTidyGoMod);
  }

  Result<std::string> raw() {
    const auto end = rest_.find('`', 1);
    if (end == std::string_view::npos)
      return line_fault(file_, number_, "a quote is not closed", kTidyGoMod);
    auto word = std::string(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return word;
  }

  std::string take(std::size_t length) {
    auto word = std::string(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return word;
  }

  std::string_view rest_;
  const std::string& file_;
  int number_;
};

}  // namespace

Result<std::vector<GoModLine>> parse_go_mod_lines(std::string_view text, const std::string& file) {
  std::vector<GoModLine> lines;
  std::string verb;  // of the block that is open
  int opened = 0, number = 0;
  for (const auto& raw : split(text, '\n')) {
    ++number;
    auto line = Scanner(raw, file, number).scan();
    if (!line) return pass_on(line.error());
    auto& words = line->words;
    if (words.empty()) continue;
    for (const auto& word : words)
      if (!is_printable(word))
        return line_fault(file, number, "holds control characters", kTidyGoMod);
    if (words.size() == 1 && words[0] == ")" && !verb.empty()) {
      verb.clear();
    } else if (words.size() == 2 && words[1] == "(") {
      if (!verb.empty()) return line_fault(file, number, "a block within a block", kTidyGoMod);
      verb = words[0];
      opened = number;
    } else {
      if (!verb.empty()) words.insert(words.begin(), verb);
      lines.push_back(*std::move(line));
    }
  }
  if (!verb.empty())
    return line_fault(file, opened,
                      fmt::format("the \"{} (\" block is not closed: the file is cut off", verb),
                      "copy the whole file again");
  return lines;
}

}  // namespace telltale::sweep
