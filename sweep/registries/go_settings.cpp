#include "sweep/registries/go_settings.hpp"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "sweep/address.hpp"
#include "sweep/registries/table.hpp"
#include "sweep/text.hpp"

namespace telltale::sweep {

namespace {

std::string variable(const Settings& settings, const char* name) {
  const char* value = settings.variable(name);
  return value == nullptr ? "" : value;
}

std::filesystem::path settings_file(const Settings& settings) {
  const auto given = variable(settings, "GOENV");
  if (given == "off") return {};
  if (!given.empty()) return given;
  if (const auto folder = variable(settings, "XDG_CONFIG_HOME"); !folder.empty())
    return std::filesystem::path(folder) / "go/env";
  const auto home = variable(settings, "HOME");
  return home.empty() ? std::filesystem::path() : std::filesystem::path(home) / ".config/go/env";
}

std::map<std::string, std::string> read_file(const std::filesystem::path& file) {
  std::map<std::string, std::string> values;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto equals = line.find('=');
    if (equals == std::string::npos || trim(line).starts_with('#')) continue;
    values[std::string(trim(line.substr(0, equals)))] = std::string(trim(line.substr(equals + 1)));
  }
  return values;
}

// As the go command completes an address without a scheme.
std::string with_scheme(const std::string& text) {
  const bool bare = text.find_first_of(".:/") != std::string::npos &&
                    text.find(":/") == std::string::npos && text[0] != '/';
  return bare ? "https://" + text : text;
}

}  // namespace

GoSettings read_go_settings(const Settings& settings) {
  const auto file = settings_file(settings);
  const auto written = file.empty() ? std::map<std::string, std::string>() : read_file(file);
  const auto value = [&](const char* name) -> GoSettings::Value {
    if (auto text = variable(settings, name); !text.empty()) return {text, "the environment"};
    const auto found = written.find(name);
    if (found == written.end() || found->second.empty()) return {};
    return {found->second, file.string()};
  };
  return {value("GOPROXY"), value("GOPRIVATE"), value("GONOPROXY")};
}

Result<Endpoints> parse_goproxy(const GoSettings::Value& proxy) {
  Endpoints endpoints;
  endpoints.chosen_by = proxy.from.empty() ? "Go's own default" : "GOPROXY of " + proxy.from;
  std::string_view rest = proxy.text;
  const auto fallback = std::string(public_registry("go")->address) + ",direct";
  if (proxy.text.empty()) rest = fallback;
  while (!rest.empty()) {
    const auto end = rest.find_first_of(",|");
    const auto item = std::string(trim(rest.substr(0, end)));
    const bool any_error = end != std::string_view::npos && rest[end] == '|';
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (item.empty()) continue;
    if (item == "direct" || item == "off") {
      endpoints.notes.push_back(
          fmt::format("\"{}\" in GOPROXY was not followed: only proxies are asked", item));
      break;
    }
    auto address = checked_address(with_scheme(item), "an entry of GOPROXY");
    if (!address) return pass_on(address.error());
    endpoints.list.push_back({*address, any_error});
  }
  if (endpoints.list.empty())
    return fail(Fault::input,
                fmt::format("{} names no proxy that could be asked", endpoints.chosen_by),
                "give one with --registry https://...");
  return endpoints;
}

bool matches_patterns(std::string_view patterns, std::string_view path) {
  for (const auto& pattern : split(patterns, ',')) {
    const std::string glob(trim(pattern));
    if (glob.empty()) continue;
    // The prefix of the path that has as many elements as the pattern.
    auto slashes = std::count(glob.begin(), glob.end(), '/');
    std::size_t end = path.find('/');
    for (; slashes > 0 && end != std::string_view::npos; --slashes) end = path.find('/', end + 1);
    if (slashes > 0) continue;
    if (fnmatch(glob.c_str(), std::string(path.substr(0, end)).c_str(), FNM_PATHNAME) == 0)
      return true;
  }
  return false;
}

}  // namespace telltale::sweep
