// What a run of the subject comes to: real searches of real folders, judged.
#include "canary/cipher_record.hpp"

#include <csignal>

#include "canary/search.hpp"
#include "material.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;
using evidence::Verdict;

namespace {

const std::string kSecondKey = "kestrel-4711-heron-0815";

// A run that did all it should, and left this folder. Its second secret has number 1, as canary 1.
StoreRun good_run(const test::TemporaryFolder& folder) {
  StoreRun run;
  run.name = "keyed";
  run.canaries = {kValue};
  run.read_back = {true};
  run.data_files = 1;
  run.stop_signal = SIGTERM;
  auto plan = plan_for({folder.path().string()});
  auto forms = key_patterns(kSecondKey).value();
  for (auto& form : forms) form.number = 1;
  plan.patterns.insert(plan.patterns.end(), forms.begin(), forms.end());
  run.patterns = plan.patterns;
  run.search = search(plan).value();
  return run;
}

Verdict judged(const StoreRun& run) {
  auto record = begin_cipher_record();
  add_keyed_run(run, record);
  return judge(record.grounds).verdict();
}

evidence::Control control_of(const StoreRun& run) {
  auto record = begin_cipher_record();
  add_control_run(run, record);
  REQUIRE(record.grounds.controls.size() == 1);
  CHECK(record.grounds.required_controls ==
        std::vector<std::string>{record.grounds.controls[0].name});
  return record.grounds.controls[0];
}

}  // namespace

TEST_CASE("a keyed run is clean when all of it was shown") {
  const test::TemporaryFolder folder;
  folder.write("store", filler(1000));
  const auto good = good_run(folder);
  CHECK(judged(good) == Verdict::clean);
  const auto without = [&](const std::function<void(StoreRun&)>& change) {
    auto run = good;
    change(run);
    return judged(run);
  };
  CHECK(without([](auto& run) { run.read_back = {false}; }) == Verdict::not_evidence);
  CHECK(without([](auto& run) { run.data_files = 0; }) == Verdict::not_evidence);
  CHECK(without([](auto& run) { run.empty_data = {"archive is not there"}; }) ==
        Verdict::not_evidence);
  CHECK(without([](auto& run) { run.search.controls.erase(run.search.controls.begin()); }) ==
        Verdict::not_evidence);
  CHECK(without([](auto& run) { run.search.controls.front().held = false; }) ==
        Verdict::not_evidence);
  CHECK(without([](auto& run) { run.search.counts.with_content = 0; }) == Verdict::not_evidence);
  CHECK(without([](auto& run) {
          run.search.unseen = {{"file", "was not seen"}};
        }) == Verdict::not_evidence);
  CHECK(without([](auto& run) { run.output = {{0, 7, 1}}; }) == Verdict::findings);
}

TEST_CASE("the key in a file that this tool wrote is how it was handed over; a canary is not") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("conf", "key: " + kSecondKey);
  auto run = good_run(folder);
  CHECK(judged(run) == Verdict::findings);
  run.handed_over = {file.string()};
  CHECK(judged(run) == Verdict::clean);

  folder.write("conf", "key: " + kSecondKey + ", last: " + kValue);
  run = good_run(folder);
  run.handed_over = {file.string()};
  auto record = begin_cipher_record();
  add_keyed_run(run, record);
  REQUIRE(record.grounds.findings.size() == 1);
  CHECK(record.grounds.findings[0].what.starts_with("canary 1 is readable in"));
  CHECK(exposes_canary(run));
}

TEST_CASE("a control run must show each canary; a key of the same number is none") {
  const test::TemporaryFolder folder;
  folder.write("store", "key: " + kSecondKey);
  const auto missing = control_of(good_run(folder));
  CHECK_FALSE(missing.held);
  CHECK(missing.observed == "not found");
  CHECK_FALSE(exposes_canary(good_run(folder)));

  const auto file = folder.write("log", kValue);
  const auto seen = control_of(good_run(folder));
  CHECK(seen.held);
  CHECK(seen.observed == "found in " + file.string());

  StoreRun refused;
  refused.canaries = {kValue};
  refused.refusal = "I would rather not";
  CHECK_FALSE(control_of(refused).held);
  CHECK(control_of(refused).observed == "the control run refused: I would rather not");
}

TEST_CASE("a decrypting command must print each canary") {
  StoreRun run;
  run.canaries = {kValue, "another value"};
  run.decrypted = {true, false};
  auto record = begin_cipher_record();
  add_decryption(run, record);
  REQUIRE(record.grounds.controls.size() == 2);
  CHECK(record.grounds.required_controls.size() == 2);
  CHECK(record.grounds.controls[0].held);
  CHECK_FALSE(record.grounds.controls[1].held);
}

TEST_CASE("a store is a stopped one when the program ended as it was asked to, or by itself") {
  StoreRun asked;
  asked.stop_signal = SIGTERM;
  CHECK(stopped_in_order(asked));
  const auto ended = [&](const std::function<void(subject::StopReport&)>& how) {
    auto run = asked;
    how(run.stop);
    return stopped_in_order(run);
  };
  CHECK(ended([](auto& stop) { stop.exit.status = 3; }));  // its own way to say that it was asked
  CHECK(ended([](auto& stop) { stop.exit.signal = SIGTERM; }));
  CHECK_FALSE(ended([](auto& stop) { stop.exit.signal = SIGSEGV; }));
  CHECK_FALSE(ended([](auto& stop) { stop.killed = true; }));
  CHECK_FALSE(ended([](auto& stop) { stop.left = {"17 worker"}; }));
  CHECK(ended([](auto& stop) { stop.exited_by_itself = true; }));
  CHECK_FALSE(ended([](auto& stop) {
    stop.exited_by_itself = true;
    stop.exit.status = 3;
  }));
}
