#include "canary/search_evidence.hpp"

#include <algorithm>
#include <csignal>

#include "canary/mint.hpp"
#include "canary/search.hpp"
#include "material.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;
using evidence::Verdict;

TEST_CASE("a hit is a finding that names value, form and place, and never a key") {
  const test::TemporaryFolder folder;
  const auto key = mint_key();
  folder.write("app.log", "key " + key + " and " + kValue + kValue);
  auto plan = plan_for({folder.path().string()});
  auto forms = key_patterns(key).value();
  plan.patterns.insert(plan.patterns.end(), forms.begin(), forms.end());
  const auto findings = findings_of(search(plan).value(), 7);
  REQUIRE(findings.size() == 2);
  const auto file = (folder / "app.log").string();
  CHECK(findings[0].id == "cipher-7");
  CHECK(findings[0].what == "canary 1 is readable in " + file + " (raw, 2 times)");
  CHECK(findings[1].what == "key is readable in " + file + " (hex, once)");
  CHECK(findings[0].details[2].second == "73, 97");
  for (const auto& [name, value] : findings[1].details) CHECK(value.find(key) == value.npos);
}

TEST_CASE("what was not seen is unexamined, by a key that a waiver can name") {
  const test::TemporaryFolder folder;
  folder.write("x.zip", "PK\x03\x04");
  const auto result = search(plan_for({folder.path().string()})).value();
  const auto unexamined = unexamined_of(result);
  REQUIRE(unexamined.size() == 1);
  CHECK(unexamined[0].key == "file:" + (folder / "x.zip").string());
  CHECK(judge(grounds_of(result)).verdict() == Verdict::not_evidence);
}

TEST_CASE("the grounds of a search: found, not found, nothing to search, a control broken") {
  const test::TemporaryFolder folder;
  const auto judged = [&](const auto& change) {
    auto result = search(plan_for({folder.path().string()})).value();
    change(result);
    return judge(grounds_of(result)).verdict();
  };
  const auto as_it_is = [](SearchResult&) {};
  CHECK(judged(as_it_is) == Verdict::not_evidence);
  folder.write("file", "nothing");
  CHECK(judged(as_it_is) == Verdict::clean);
  CHECK(judged([](auto& result) { result.controls[0].held = false; }) == Verdict::not_evidence);
  CHECK(judged([](auto& result) { result.controls.erase(result.controls.begin()); }) ==
        Verdict::not_evidence);
  folder.write("found", kValue);
  CHECK(judged(as_it_is) == Verdict::findings);
}

TEST_CASE("a search that was interrupted did not run to its end") {
  const test::TemporaryFolder folder;
  folder.write("file", "nothing");
  auto plan = plan_for({folder.path().string()});
  CHECK(observer_of(search(plan).value()).ended);
  plan.interrupted_by = [] { return SIGTERM; };
  const auto result = search(plan).value();
  CHECK_FALSE(observer_of(result).ended);
  CHECK(judge(grounds_of(result)).verdict() == Verdict::interrupted);
}

TEST_CASE("rows account for every byte, the header table for every file") {
  const test::TemporaryFolder folder;
  folder.write("a.db", random_bytes(1000));
  folder.write("b.db", random_bytes(1000));
  folder.write("log.gz", gzipped("text"));
  const auto result = search(plan_for({folder.path().string()})).value();
  const auto rows = rows_of(result);
  const auto value = [&](const std::string& name) {
    return std::find_if(rows.begin(), rows.end(),
                        [&](const auto& row) { return row.name() == name; })
        ->value();
  };
  CHECK(value("files searched") == evidence::Value(std::int64_t{3}));
  CHECK(value("bytes read") == evidence::Value(std::int64_t(2000 + gzipped("text").size())));
  CHECK(value("bytes decoded") == evidence::Value(std::int64_t{4}));
  const auto table = header_table_of(result).rows();
  REQUIRE(table.size() == 2);
  CHECK(table[0][1] == evidence::Value(std::string("no known magic")));
  CHECK(table[0][3] == evidence::Value(std::int64_t{2}));
  CHECK(table[1][1] == evidence::Value(std::string("gzip")));
}
