#include "sweep/registries/go_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "sweep/text.hpp"

namespace telltale::sweep::go {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_path_character(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c) || c == '-' || c == '.' || c == '_' || c == '~';
}
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}
// As semantic versioning writes numbers: no leading zero.
bool is_number(std::string_view text) {
  return all_digits(text) && (text.size() == 1 || text[0] != '0');
}

bool is_reserved_on_windows(std::string_view element) {
  static constexpr std::array<std::string_view, 22> kReserved = {
      "con",  "prn",  "aux",  "nul",  "com1", "com2", "com3", "com4", "com5", "com6", "com7",
      "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"};
  std::string stem(element.substr(0, element.find('.')));
  std::transform(stem.begin(), stem.end(), stem.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kReserved.begin(), kReserved.end(), stem) != kReserved.end();
}

// "name~1": how old Windows abbreviates long names.
bool is_short_name_of_windows(std::string_view element) {
  const auto stem = element.substr(0, element.find('.'));
  const auto tilde = stem.rfind('~');
  return tilde != std::string_view::npos && all_digits(stem.substr(tilde + 1));
}

std::optional<std::string> element_fault(std::string_view element) {
  if (element.empty()) return "has an empty path element";
  if (element.front() == '.') return "has a path element that starts with a dot";
  if (element.back() == '.') return "has a path element that ends with a dot";
  for (const char c : element)
    if (!is_path_character(c))
      return fmt::format("has a character that Go does not allow: \"{}\"",
                         excerpt(std::string_view(&c, 1)));
  if (is_reserved_on_windows(element) || is_short_name_of_windows(element))
    return fmt::format("has a path element that Windows reserves: \"{}\"", element);
  return std::nullopt;
}

std::optional<std::string> host_fault(std::string_view host) {
  if (host.find('.') == std::string_view::npos) return "has no host (no dot in its first element)";
  if (host.front() == '-') return "has a host that starts with a hyphen";
  for (const char c : host)
    if (!is_lower(c) && !is_digit(c) && c != '-' && c != '.')
      return fmt::format("has a character in its host that Go does not allow: \"{}\"",
                         excerpt(std::string_view(&c, 1)));
  return std::nullopt;
}

bool is_gopkg(std::string_view path) {
  return path.starts_with("gopkg.in/");
}

// The text after the last '/' or, at gopkg.in, the last '.': "v2"; "-unstable" taken off.
std::string_view major_suffix(std::string_view path) {
  if (is_gopkg(path)) {
    if (path.ends_with("-unstable")) path.remove_suffix(9);
    return path.substr(path.rfind('.') + 1);
  }
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return {};
  const auto last = path.substr(slash + 1);
  const auto is_numeric = [](char c) { return is_digit(c) || c == '.'; };
  const bool numeric =
      last.size() > 1 && last[0] == 'v' && std::all_of(last.begin() + 1, last.end(), is_numeric);
  return numeric ? last : std::string_view();
}

std::optional<std::string> suffix_fault(std::string_view path) {
  const auto suffix = major_suffix(path);
  if (is_gopkg(path)) {
    if (suffix.size() < 2 || suffix[0] != 'v' || !is_number(suffix.substr(1)))
      return "must end in a version such as \".v2\" at gopkg.in";
    return std::nullopt;
  }
  if (suffix.empty()) return std::nullopt;
  if (!is_number(suffix.substr(1)) || suffix == "v0" || suffix == "v1")
    return fmt::format("ends in \"/{}\", which is no major version suffix", suffix);
  return std::nullopt;
}

struct Version {
  std::string_view major, minor, patch, prerelease, build;
};

bool are_identifiers(std::string_view text, bool leading_zeros) {
  for (const auto& part : split(text, '.')) {
    if (part.empty()) return false;
    for (const char c : part)
      if (!is_digit(c) && !is_lower(c) && !is_upper(c) && c != '-') return false;
    if (!leading_zeros && all_digits(part) && !is_number(part)) return false;
  }
  return true;
}

std::string_view take_until(std::string_view& text, char stop) {
  const auto end = text.find(stop);
  const auto part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::optional<Version> parse(std::string_view text) {
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  Version version;
  const bool has_build = text.find('+') != std::string_view::npos;
  auto rest = take_until(text, '+');
  version.build = text;
  const bool has_prerelease = rest.find('-') != std::string_view::npos;
  auto core = take_until(rest, '-');
  version.prerelease = rest;
  version.major = take_until(core, '.');
  version.minor = take_until(core, '.');
  version.patch = core;
  if (!is_number(version.major) || !is_number(version.minor) || !is_number(version.patch))
    return std::nullopt;
  if (has_prerelease && !are_identifiers(version.prerelease, false)) return std::nullopt;
  if (has_build && !are_identifiers(version.build, true)) return std::nullopt;
  return version;
}

// vX.0.0-T-H, vX.Y.Z-pre.0.T-H, vX.Y.(Z+1)-0.T-H: T is 14 digits, H letters and digits.
bool is_pseudo(const Version& version) {
  const auto dash = version.prerelease.rfind('-');
  if (dash == std::string_view::npos || dash < 14) return false;
  const auto revision = version.prerelease.substr(dash + 1);
  if (revision.empty() || !std::all_of(revision.begin(), revision.end(), [](char c) {
        return is_digit(c) || is_lower(c) || is_upper(c);
      }))
    return false;
  if (!all_digits(version.prerelease.substr(dash - 14, 14))) return false;
  const auto before = version.prerelease.substr(0, dash - 14);
  if (before.empty()) return version.minor == "0" && version.patch == "0";
  return before == "0." || before.ends_with(".0.");
}

}  // namespace

std::optional<std::string> path_fault(std::string_view path) {
  if (path.empty()) return "is empty";
  if (path.front() == '-') return "starts with a hyphen";
  for (const auto& element : split(path, '/'))
    if (auto fault = element_fault(element)) return fault;
  if (auto fault = host_fault(path.substr(0, path.find('/')))) return fault;
  return suffix_fault(path);
}

std::optional<std::string> version_fault(std::string_view path, std::string_view version) {
  const auto parsed = parse(version);
  if (!parsed || (!parsed->build.empty() && parsed->build != "incompatible"))
    return fmt::format("\"{}\" is not a canonical version", excerpt(version));
  const auto suffix = major_suffix(path);
  const auto major = "v" + std::string(parsed->major);
  // An old go command wrote v0.0.0-... for gopkg.in's .v1; such versions are still served.
  if (is_gopkg(path) && suffix == "v1" && version.starts_with("v0.0.0-")) return std::nullopt;
  const bool incompatible = parsed->build == "incompatible";
  const bool fits =
      suffix.empty() ? major == "v0" || major == "v1" || incompatible : major == suffix;
  if (!fits)
    return fmt::format("\"{}\" is of another major version than the path says", excerpt(version));
  return std::nullopt;
}

bool has_no_host(std::string_view path) {
  return path.substr(0, path.find('/')).find('.') == std::string_view::npos;
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (is_upper(c)) escaped += "%21";
    escaped += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return escaped;
}

VersionForm version_form(std::string_view text) {
  const auto version = parse(text);
  if (!version) return VersionForm::invalid;
  if (version->prerelease.empty()) return VersionForm::release;
  return is_pseudo(*version) ? VersionForm::pseudo : VersionForm::prerelease;
}

std::string major_of(std::string_view path) {
  const auto suffix = major_suffix(path);
  return suffix.empty() ? "v0" : std::string(suffix);
}

}  // namespace telltale::sweep::go
