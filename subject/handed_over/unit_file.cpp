#include "subject/handed_over/unit_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace telltale::subject {

namespace {

namespace fs = std::filesystem;

struct UnitName {
  std::string full;      // "a@b.service"
  std::string stem;      // "a@b"
  std::string prefix;    // "a"
  std::string instance;  // "b"

  [[nodiscard]] std::string in_template() const { return prefix + "@.service"; }
};

// Empty when it is no service.
UnitName name_of_unit(const std::string& written) {
  constexpr std::string_view kService = ".service";
  UnitName name;
  const auto dot = written.rfind('.');
  if (dot != std::string::npos && written.substr(dot) == kService)
    name.stem = written.substr(0, dot);
  else if (dot == std::string::npos)
    name.stem = written;
  else
    return {};
  name.full = name.stem + std::string(kService);
  const auto at = name.stem.find('@');
  name.prefix = name.stem.substr(0, at);
  if (at != std::string::npos) name.instance = name.stem.substr(at + 1);
  return name;
}

std::string trimmed_line(std::string text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string fill_specifiers(const std::string& text, const UnitName& name) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == 'i' || next == 'I')
      filled += name.instance;
    else if (next == 'n')
      filled += name.full;
    else if (next == 'p')
      filled += name.prefix;
    else if (next == '%')
      filled += '%';
    else {
      filled += text[i];
      continue;
    }
    ++i;
  }
  return filled;
}

void take_assignment(const std::string& key, const std::string& value, UnitCommand& command) {
  if (key == "User") command.user = value;
  if (key != "ExecStart") return;
  if (value.empty()) return command.commands.clear();
  const auto begin = value.find_first_not_of("@-:+!|");
  if (begin != std::string::npos) command.commands.push_back(value.substr(begin));
}

// A line that ends in a backslash goes on in the next one.
void read_unit(const fs::path& file, UnitCommand& command) {
  std::ifstream in(file);
  std::string section, whole;
  for (std::string line; std::getline(in, line);) {
    line = trimmed_line(line);
    if (line.starts_with('#') || line.starts_with(';')) continue;
    const bool goes_on = line.ends_with('\\');
    if (goes_on) line.back() = ' ';
    whole += line;
    if (goes_on) continue;
    if (whole.starts_with('[')) section = whole;
    if (const auto equals = whole.find('='); section == "[Service]" && equals != std::string::npos)
      take_assignment(trimmed_line(whole.substr(0, equals)), trimmed_line(whole.substr(equals + 1)),
                      command);
    whole.clear();
  }
}

fs::path find_unit(const UnitName& name, const UnitFolders& folders) {
  std::error_code error;
  for (const auto& file : {name.full, name.in_template()})
    for (const auto& folder : folders)
      if (fs::is_regular_file(folder / file, error)) return folder / file;
  return {};
}

std::vector<fs::path> drop_ins(const UnitName& name, const UnitFolders& folders) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& folder : folders)
    for (const auto& unit : {name.full, name.in_template()})
      for (const auto& entry : fs::directory_iterator(folder / (unit + ".d"), error))
        if (entry.path().extension() == ".conf") files.push_back(entry.path());
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return files;
}

}  // namespace

UnitFolders unit_folders(bool of_user) {
  if (!of_user)
    return {"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
            "/usr/lib/systemd/system", "/lib/systemd/system"};
  const char* home = std::getenv("HOME");
  return {fs::path(home != nullptr ? home : "/") / ".config/systemd/user", "/etc/systemd/user",
          "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"};
}

std::optional<UnitCommand> unit_command(const std::string& unit, const UnitFolders& folders) {
  const auto name = name_of_unit(unit);
  if (name.prefix.empty() || unit.find('/') != std::string::npos) return std::nullopt;
  UnitCommand command;
  command.file = find_unit(name, folders);
  if (command.file.empty()) return std::nullopt;
  read_unit(command.file, command);
  for (const auto& file : drop_ins(name, folders)) read_unit(file, command);
  if (command.commands.empty()) return std::nullopt;
  for (auto& line : command.commands) line = fill_specifiers(line, name);
  return command;
}

}  // namespace telltale::subject
