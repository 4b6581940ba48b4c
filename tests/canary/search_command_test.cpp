#include "canary/search_command.hpp"

#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "evidence/progress.hpp"
#include "material.hpp"
#include "support/catch.hpp"
#include "support/json_schema.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;
using nlohmann::json;
using test::Holds;

namespace {

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran run(const SearchRequest& request, int signal = 0) {
  std::ostringstream out;
  std::ostringstream err;
  evidence::Messages messages(err, evidence::Verbosity::normal, false, 80);
  SearchConsole console{out, messages, [signal] { return signal; }};
  const auto status = static_cast<int>(run_search(request, console));
  return {status, out.str(), err.str()};
}

SearchRequest request_for(const test::TemporaryFolder& folder) {
  SearchRequest request;
  request.roots = {folder.path().string()};
  request.values = {kValue};
  return request;
}

json checked_document(const Ran& ran) {
  auto document = json::parse(ran.out);
  CHECK(test::schema_faults(TELLTALE_SEARCH_SCHEMA, document) == std::vector<std::string>{});
  CHECK(document["exit_status"] == ran.status);
  return document;
}

}  // namespace

TEST_CASE("found is 1, and says where") {
  const test::TemporaryFolder folder;
  folder.write("notes.db", filler_with(9000, 5000));
  auto request = request_for(folder);
  const auto ran = run(request);
  CHECK(ran.status == 1);
  CHECK(ran.out.find("FOUND: 1 of 1 value (1 file, 9000 bytes searched)") == 0);
  CHECK_THAT(ran.out, Holds("canary 1, raw: once, at byte 5000"));
  CHECK(ran.err.empty());

  request.json = true;
  const auto document = checked_document(run(request));
  CHECK(document["verdict"] == "FOUND");
  CHECK(document["hits"][0]["path"] == (folder / "notes.db").string());
  CHECK(document["values"][0]["value"] == kValue);
}

TEST_CASE("not found is 0, carries its bounds, and is never called clean") {
  const test::TemporaryFolder folder;
  folder.write("notes.db", filler(9000));
  auto request = request_for(folder);
  const auto ran = run(request);
  CHECK(ran.status == 0);
  CHECK(ran.out.find("NOT FOUND: 1 value (1 file, 9000 bytes searched)") == 0);
  CHECK_THAT(ran.out, Holds("What this search cannot say"));
  CHECK_THAT(ran.out, !Holds("CLEAN"));
  request.json = true;
  CHECK(checked_document(run(request))["reasons"].empty());
  request.json = false;
  request.quiet = true;
  CHECK(run(request).out == "NOT FOUND: 1 value (1 file, 9000 bytes searched)\n");
}

TEST_CASE("nothing searched is 3: an empty folder, empty files") {
  const test::TemporaryFolder folder;
  auto request = request_for(folder);
  CHECK(run(request).status == 3);
  folder.write("empty", "");
  request.json = true;
  const auto ran = run(request);
  CHECK(ran.status == 3);
  const auto document = checked_document(ran);
  CHECK(document["verdict"] == "NOT EVIDENCE");
  CHECK(document["reasons"] == json{"nothing was examined (0 files with content)"});
}

TEST_CASE("a place that was not seen makes nothing found 3, and found stays 1") {
  const test::TemporaryFolder folder;
  folder.write("x.zip", "PK\x03\x04");
  auto request = request_for(folder);
  const auto ran = run(request);
  CHECK(ran.status == 3);
  CHECK_THAT(ran.out, Holds("1 place could not be seen") && Holds("does not open"));
  folder.write("found", kValue);
  request.json = true;
  const auto found = run(request);
  CHECK(found.status == 1);
  CHECK(checked_document(found)["unseen"][0]["cause"] == "undecoded");
}

TEST_CASE("a control that is broken makes nothing found 3") {
  const test::TemporaryFolder folder;
  folder.write("file", "nothing");
  auto request = request_for(folder);
  setenv("TMPDIR", (folder / "missing").c_str(), 1);
  const auto ran = run(request);
  request.json = true;
  const auto as_json = run(request);
  unsetenv("TMPDIR");
  CHECK(ran.status == 3);
  CHECK_THAT(ran.out, Holds("NOT EVIDENCE") && Holds("BROKEN"));
  CHECK(checked_document(as_json)["controls"][1]["held"] == false);
}

TEST_CASE("names that are hostile to a terminal or no text are made visible") {
  const test::TemporaryFolder folder;
  folder.write("a\x1b[31m\xff\nFOUND", kValue);
  auto request = request_for(folder);
  CHECK_THAT(run(request).out, Holds("a\\x1b[31m\\xff\\nFOUND"));
  request.json = true;
  checked_document(run(request));
}

TEST_CASE("an interrupted search says so") {
  const test::TemporaryFolder folder;
  folder.write("file", kValue);
  auto request = request_for(folder);
  request.json = true;
  const auto ran = run(request, SIGINT);
  CHECK(ran.status == 130);
  CHECK(checked_document(ran)["verdict"] == "INTERRUPTED");
  CHECK(run(request, SIGTERM).status == 143);
}

TEST_CASE("bad input is 2, and tells no value") {
  const test::TemporaryFolder folder;
  folder.write("file", "x");
  auto request = request_for(folder);
  request.values = {};
  CHECK(run(request).status == 2);
  request.values = {kValue, "abc1234"};
  const auto ran = run(request);
  CHECK(ran.status == 2);
  CHECK(ran.out.empty());
  CHECK_THAT(ran.err, Holds("canary 2") && Holds("fix: ") && !Holds("abc1234"));
  request = request_for(folder);
  request.roots.push_back((folder / "missing").string());
  CHECK(run(request).status == 2);
}

TEST_CASE("the report goes where -o says; where it cannot, the status says so") {
  const test::TemporaryFolder folder;
  folder.write("data/file", "nothing");
  auto request = request_for(folder);
  request.roots = {(folder / "data").string()};
  request.output = (folder / "report").string();
  const auto ran = run(request);
  CHECK(ran.status == 0);
  CHECK(ran.out.empty());
  CHECK(test::read_file(folder / "report").find("NOT FOUND") == 0);
  request.output = (folder / "missing/report").string();
  CHECK(run(request).status == 2);
}

TEST_CASE("the schema refuses what is no document, and has no word that is not checked") {
  const test::TemporaryFolder folder;
  folder.write("file", kValue);
  folder.write("x.zip", "PK\x03\x04");
  auto request = request_for(folder);
  request.json = true;
  const auto sound = checked_document(run(request));
  std::ifstream schema(TELLTALE_SEARCH_SCHEMA);
  CHECK(test::unchecked_words(json::parse(schema)) == std::vector<std::string>{});
  const auto refused = [&](const char* pointer, const json& value) {
    auto document = sound;
    document[json::json_pointer(pointer)] = value;
    return !test::schema_faults(TELLTALE_SEARCH_SCHEMA, document).empty();
  };
  CHECK(refused("/verdict", "CLEAN"));
  CHECK(refused("/exit_status", 2));
  CHECK(refused("/extra", 1));
  CHECK(refused("/hits/0/count", 0));
  CHECK(refused("/hits/0/place", "elsewhere"));
  CHECK(refused("/counts/read", -1));
  CHECK(refused("/started", "yesterday"));
  for (const auto& [key, value] : sound.items()) {
    auto document = sound;
    document.erase(key);
    INFO(key);
    CHECK_FALSE(test::schema_faults(TELLTALE_SEARCH_SCHEMA, document).empty());
  }
}
