#include "catcher/world/mount_table.hpp"

#include <fstream>
#include <sstream>

namespace telltale::catcher {

namespace {

bool is_octal(char digit) {
  return digit >= '0' && digit <= '7';
}

// A blank in a path stands as \040.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size() && is_octal(text[at + 1]) &&
        is_octal(text[at + 2]) && is_octal(text[at + 3])) {
      plain += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 +
                                 (text[at + 3] - '0'));
      at += 3;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

// ID PARENT DEVICE ROOT POINT OPTIONS [OPTIONAL...] - TYPE SOURCE OPTIONS
bool parse_line(const std::string& line, MountedAt& mount) {
  std::istringstream words(line);
  std::string word;
  for (int field = 0; field < 5; ++field)
    if (!(words >> word)) return false;
  mount.point = unescaped(word);
  while (words >> word && word != "-") {
  }
  if (!(words >> mount.type >> word)) return false;
  mount.source = unescaped(word);
  return true;
}

}  // namespace

std::vector<MountedAt> parse_mount_table(std::string_view mountinfo) {
  std::vector<MountedAt> table;
  std::istringstream lines{std::string(mountinfo)};
  MountedAt mount;
  for (std::string line; std::getline(lines, line);)
    if (parse_line(line, mount)) table.push_back(mount);
  return table;
}

std::vector<MountedAt> read_mount_table(const std::string& mountinfo_file) {
  std::ifstream in(mountinfo_file);
  std::ostringstream text;
  text << in.rdbuf();
  return parse_mount_table(text.str());
}

}  // namespace telltale::catcher
