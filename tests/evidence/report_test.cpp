#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "evidence/characters.hpp"
#include "evidence/report/format.hpp"
#include "evidence/results.hpp"
#include "sample_run.hpp"
#include "support/baseline.hpp"
#include "support/catch.hpp"

using namespace telltale::evidence;
using namespace telltale::test;
using nlohmann::json;

namespace {

std::string report(std::string_view format, const json& results, ReportOptions options = {}) {
  std::ostringstream out;
  find_report_format(format)->write(results, options, out);
  return out.str();
}

std::string difference(const std::string& file, const std::string& text) {
  return baseline_difference(std::filesystem::path(TELLTALE_BASELINES) / file, normalised(text));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string widest(const std::string& text) {
  const auto lines = lines_of(text);
  return *std::max_element(lines.begin(), lines.end(),
                           [](const auto& a, const auto& b) { return columns(a) < columns(b); });
}

// Without its line breaks.
std::string flowing(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Puts `word` in the place of every string of a document.
void replace_strings(json& value, const std::string& word) {
  if (value.is_string()) value = word;
  if (value.is_structured())
    for (auto& each : value) replace_strings(each, word);
}

}  // namespace

TEST_CASE("text reports are as approved", "[baseline]") {
  CHECK(difference("clean.approved.txt", report("text", to_json(clean_run()))) == "");
  CHECK(difference("mixed.approved.txt", report("text", to_json(mixed_run()))) == "");
  CHECK(difference("mixed-verbose.approved.txt",
                   report("text", to_json(mixed_run()), {.color = false, .verbose = true})) == "");
  CHECK(difference("interrupted.approved.txt", report("text", to_json(interrupted_run()))) == "");
  CHECK(difference("empty.approved.txt", report("text", to_json(empty_run()))) == "");
}

TEST_CASE("the JSON report is as approved", "[baseline]") {
  CHECK(difference("mixed.approved.json", report("json", to_json(mixed_run()))) == "");
}

TEST_CASE("a baseline that differs is shown") {
  const auto file = std::filesystem::path(TELLTALE_BASELINES) / "clean.approved.txt";
  if (std::getenv("UPDATE_BASELINES") != nullptr) return;
  CHECK(baseline_difference(file, "x\n").find("now:      x") != std::string::npos);
}

TEST_CASE("the verdict and its bounds come first") {
  const auto text = report("text", to_json(clean_run()));
  CHECK(text.find(
            "CLEAN: nothing tried to leave the machine (60 s, 2 launches, this configuration)\n") ==
        0);
  CHECK(report("text", to_json(interrupted_run())).find("UNFINISHED") == 0);
  CHECK(report("text", to_json(empty_run())).find("NOT EVIDENCE") == 0);
}

TEST_CASE("no line of a report is wider than 80 columns") {
  for (const auto& run : {clean_run(), mixed_run(), interrupted_run(), empty_run()})
    for (const bool verbose : {false, true}) {
      auto document = to_json(run);
      CHECK(columns(widest(report("text", document, {.color = false, .verbose = verbose}))) <= 80);
      replace_strings(document, std::string(300, 'x') + " \u4e2d\u6587 caf\u00e9");
      CHECK(columns(widest(report("text", document, {.color = false, .verbose = verbose}))) <= 80);
    }
}

TEST_CASE("a hostile subject can forge no line and send nothing to the terminal") {
  auto document = to_json(mixed_run());
  const auto before = lines_of(report("text", document)).size();
  for (auto& lane : document["lanes"])
    for (auto& finding : lane["findings"])
      finding["where"] = "x\nCLEAN: everything is well\r\x1b[2K\u009b31m\u202e\xff";
  const auto text = report("text", document);
  CHECK(std::all_of(text.begin(), text.end(),
                    [](char c) { return c == '\n' || static_cast<unsigned char>(c) >= 0x20; }));
  CHECK(text.find("\u009b") == std::string::npos);
  CHECK(text.find("\u202e") == std::string::npos);
  CHECK(text.find("\nCLEAN: everything") == std::string::npos);
  CHECK(lines_of(text).size() == before);

  replace_strings(document, "a\nb\x1b[31m\u009b\u202e");
  const auto all = report("text", document, {.color = false, .verbose = true});
  CHECK(all.find('\x1b') == std::string::npos);
  CHECK(all.find("\nb") == std::string::npos);
}

TEST_CASE("colour is only added, never needed") {
  const auto document = to_json(mixed_run());
  auto colored = report("text", document, {.color = true, .verbose = false});
  CHECK(colored.find("\x1b[31mFINDINGS\x1b[0m") != std::string::npos);
  for (const auto* code : {"\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m"})
    for (std::size_t at; (at = colored.find(code)) != std::string::npos;)
      colored.erase(at, std::string_view(code).size());
  CHECK(colored == report("text", document));
}

TEST_CASE("a document that is cut down or foreign does not break the report") {
  const auto whole = to_json(mixed_run());
  CHECK_NOTHROW(report("text", json::object()));
  for (const auto& [key, unused] : whole.items()) {
    auto document = whole;
    document.erase(key);
    INFO(key);
    CHECK_NOTHROW(report("text", document));
    document[key] = 7;
    CHECK_NOTHROW(report("text", document));
  }
  for (const auto& [key, unused] : whole["lanes"][1].items()) {
    auto document = whole;
    document["lanes"][1][key] = 7;
    INFO(key);
    CHECK_NOTHROW(report("text", document));
  }
}

TEST_CASE("every format has a name of its own and a line for --help") {
  std::set<std::string_view> names;
  for (const auto* format : report_formats()) {
    CHECK(names.insert(format->name()).second);
    CHECK_FALSE(format->description().empty());
    CHECK(find_report_format(format->name()) == format);
  }
  CHECK(names.count("text") == 1);
  CHECK(names.count("json") == 1);
  CHECK(find_report_format("sarif-of-tomorrow") == nullptr);
}

TEST_CASE("the exit status is explained where the table's line would puzzle") {
  auto reduced = clean_run();
  reduced.lanes.clear();
  reduced.lanes.push_back(conclude(sound_lane()));
  CHECK(
      flowing(report("text", to_json(reduced))).find("--accept-reduced accepts that and exits 0") !=
      std::string::npos);
  auto advisory = mixed_run();
  advisory.lanes = {advisory.lanes[1]};
  advisory.accepted.advisory = true;
  CHECK(
      report("text", to_json(advisory)).find("Exit status 0: there are FINDINGS, and --advisory") !=
      std::string::npos);
}
