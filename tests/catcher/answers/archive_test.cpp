#include "catcher/answers/archive.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::catcher;
using telltale::test::TemporaryFolder;

namespace {

constexpr auto kArchive = R"({"log": {"version": "1.2", "entries": [
  {"request": {"method": "GET", "url": "http://licence.example:8080/check?id=1"},
   "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "text/plain"},
                                           {"name": "content-encoding", "value": "gzip"},
                                           {"name": ":status", "value": "200"}],
                "content": {"text": "b2sgMQ==", "encoding": "base64"}}},
  {"request": {"method": "GET", "url": "http://licence.example:8080/check?id=1"},
   "response": {"status": 403, "headers": [], "content": {"text": "gone"}}},
  {"request": {"method": "GET", "url": "http://licence.example:8080/check?id=2"},
   "response": {"status": 200, "content": {"text": "ok 2"}}},
  {"request": {"method": "GET", "url": "https://licence.example/blocked"},
   "response": {"status": 0, "content": {}}}
]}})";

telltale::Result<std::shared_ptr<AnswerTable>> table_of(const std::string& text) {
  const TemporaryFolder folder;
  telltale::subject::AnswerEntry entry;
  entry.replay = folder.write("licence.har", text);
  return AnswerTable::make({entry});
}

}  // namespace

TEST_CASE("an archive's answers are played in its order, the last one again") {
  const auto table = table_of(kArchive).value();
  const AskedRequest request{"licence.example", 8080, "GET", "/check?id=1"};
  const auto* first = table->ask(request);
  REQUIRE(first != nullptr);
  CHECK(first->body == "ok 1");
  CHECK(first->source == "licence.har");
  CHECK(first->headers == telltale::subject::Pairs{{"Content-Type", "text/plain"}});
  CHECK(table->ask(request)->status == 403);
  CHECK(table->ask(request)->status == 403);
  CHECK(table->ask({"licence.example", 8080, "GET", "/check?id=2"})->body == "ok 2");
}

TEST_CASE("another query gets what the archive has of that path; another path, nothing") {
  const auto table = table_of(kArchive).value();
  CHECK(table->ask({"licence.example", 8080, "GET", "/check?id=3"})->body == "ok 1");
  CHECK(table->ask({"licence.example", 8080, "GET", "/other"}) == nullptr);
  CHECK(table->ask({"licence.example", 8080, "POST", "/check?id=1"}) == nullptr);
  CHECK_FALSE(table->knows("licence.example", 443));  // the blocked one has no answer
}

TEST_CASE("what is no archive is told by name") {
  for (const auto* text : {"", "<html>", "{}", R"({"log": {"entries": 1}})",
                           R"({"log": {"entries": [{"request": {}}]}})",
                           R"({"log": {"entries": [{"request": {"url": 1}, "response": {}}]}})"}) {
    INFO(text);
    const auto table = table_of(text);
    REQUIRE_FALSE(table);
    CHECK(table.error().fault == telltale::Fault::input);
    CHECK_THAT(table.error().what, telltale::test::Holds("licence.har"));
  }
  const auto nothing = table_of(R"({"log": {"entries": []}})");
  REQUIRE_FALSE(nothing);
  CHECK_THAT(nothing.error().what, telltale::test::Holds("holds no answer to play"));
  CHECK_FALSE(read_archive("/nowhere/at.har"));
}

TEST_CASE("a credential in a recorded URL is not shown") {
  const auto table = table_of(R"({"log": {"entries": [
    {"request": {"method": "GET", "url": "http://idp.example/check?api_key=1234abcd&page=2"},
     "response": {"status": 200, "content": {"text": "ok"}}}]}})");
  REQUIRE(table);
  const auto unasked = (*table)->rows();
  REQUIRE(unasked.size() == 1);
  CHECK(std::get<std::string>(unasked[0].value()) ==
        "GET idp.example:80/check?api_key=[masked]&page=2");
  REQUIRE((*table)->ask({"idp.example", 80, "GET", "/check?api_key=1234abcd&page=2"}) != nullptr);
  CHECK(std::get<std::string>((*table)->rows()[0].value()) ==
        "GET idp.example:80/check?api_key=[masked]&page=2");
}
