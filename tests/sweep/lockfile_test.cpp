#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/readers/go_readers.hpp"
#include "sweep/says.hpp"

using namespace telltale;
using namespace telltale::sweep;

namespace {

const std::filesystem::path kLocks = std::filesystem::path(TELLTALE_FIXTURES) / "lockfiles/go";
const std::string kHash = "h1:OU9BeOYIU7dvM6hxK5gFqxDlMDLXYDBLg5pc6Ek4PRk=";
const std::string kOther = "h1:z88Oqg1JQXbttkpij7ermGYXg33MwkuKZH/ghXSLMII=";

// A folder with the given files, by name.
class Files {
 public:
  Files(const std::string& name, const std::string& text) { add(name, text); }
  Files& add(const std::string& name, const std::string& text) {
    folder_.write(name, text);
    return *this;
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_.path() / name;
  }

 private:
  test::TemporaryFolder folder_;
};

Result<Reading> read(const std::string& name, const std::string& text) {
  return read_modules(Files(name, text).path(name));
}

std::string outline(const Reading& reading) {
  std::string text;
  for (const auto& module : reading.modules)
    text += module.label() + " " + std::string(name(module.kind)) +
            (module.indirect ? " indirect" : "") + (module.asked_sum().empty() ? "" : " hashed") +
            "\n";
  return text;
}

void check_refused(const std::string& file, const std::string& text, const std::string& expected) {
  INFO(text.substr(0, 200));
  const auto reading = read(file, text);
  REQUIRE_FALSE(reading);
  CHECK(reading.error().fault == Fault::input);
  CHECK(test::says(reading.error().what, expected));
  CHECK_FALSE(reading.error().fix.empty());
}

}  // namespace

TEST_CASE("a go.mod as go mod tidy leaves it, with the go.sum beside it") {
  auto reading = read_modules(kLocks / "go.mod");
  REQUIRE(reading);
  CHECK(reading->weaker);
  CHECK(reading->incomplete.empty());
  CHECK(outline(*reading) ==
        "notes.example/board main\n"
        "notes.example/clock@v0.0.0-20260102030405-0123456789ab => ./clock local\n"
        "notes.example/theme/v2@v2.1.0 published hashed\n"
        "notes.example/Widget@v1.0.0-RC1 => notes.example/gadget@v0.3.0 published indirect "
        "hashed\n");
  CHECK(reading->modules[2].origin == "go.mod:7");
}

TEST_CASE("a go.sum alone is a superset, and says so") {
  auto reading = read_modules(kLocks / "go.sum");
  REQUIRE(reading);
  CHECK(reading->modules.size() == 2);
  CHECK(test::says(reading->limits[0], "more than the program needs"));

  auto graph = read("go.sum", "a.example/x v1.0.0/go.mod " + kHash + "\n");
  REQUIRE(graph);
  CHECK(outline(*graph) == "a.example/x@v1.0.0 graph only\n");
}

TEST_CASE("every word of go.mod") {
  auto reading = read("go.mod",
                      "// a comment\n"
                      "module \"a.example/main\"\r\n"
                      "go 1.22.3\n"
                      "toolchain go1.23.1\n"
                      "require b.example/x v1.0.0\n"
                      "require (\n"
                      "\t`c.example/y` v1.2.0 // indirect\n"
                      "\td.example/z v0.1.0 // indirect; why\n"
                      "\n"
                      ")\n"
                      "replace (\n"
                      "\tb.example/x => ../x\n"
                      "\tc.example/y v9.0.0 => e.example/y v1.2.1\n"  // of a version nobody needs
                      "\tq.example/nobody => f.example/n v1.0.0\n"    // and of a module
                      ")\n"
                      "exclude d.example/z v0.1.0\n"
                      "retract [v1.0.0, v1.1.0]\n"
                      "retract (\n\tv1.2.0 // why\n)\n"
                      "godebug default=go1.21\n"
                      "tool b.example/x/cmd\n"
                      "ignore ./node_modules\n");
  REQUIRE(reading);
  CHECK(outline(*reading) ==
        "a.example/main main\n"
        "golang.org/toolchain@go1.23.1 toolchain\n"
        "b.example/x@v1.0.0 => ../x local\n"
        "c.example/y@v1.2.0 published indirect\n"
        "d.example/z@v0.1.0 unresolved indirect\n");
}

TEST_CASE("a go.mod of a Go before 1.17 is incomplete, and says so") {
  for (const auto* go : {"", "go 1.16\n", "go 1.9\n"}) {
    auto reading =
        read("go.mod", std::string("module a.example\n") + go + "require b.example/x v1.0.0\n");
    REQUIRE(reading);
    CHECK(test::says(reading->incomplete, "before 1.17"));
  }
  for (const auto* go : {"go 1.17\n", "go 1.21\n", "go 1.26.8\n", "go 2.0\n"})
    CHECK(read("go.mod", std::string("module a.example\n") + go + "require b.example/x v1.0.0\n")
              ->incomplete.empty());
}

TEST_CASE("a go.mod that cannot be believed") {
  const std::string start = "module a.example\n\ngo 1.21\n\n";
  const std::string block = "require (\n\tb.example/x v1.0.0\n)\n";
  check_refused("go.mod", "", "is empty");
  check_refused("go.mod", "\n\n", "no \"module\" line");
  check_refused("go.mod", "<!DOCTYPE html>\n<title>Log in</title>", "is a web page");
  check_refused("go.mod", "\n  <html lang=en>", "is a web page");
  check_refused("go.mod", std::string("module a\0b", 10), "binary data");
  check_refused("go.mod", start + "require (\n\tb.example/x v1.0.0\n",
                "go.mod:5: the \"require (\"");
  check_refused("go.mod", start + "require (\n\tb.example/x\n)\n", "go.mod:6:");
  check_refused("go.mod", start + "require b.exa", "go.mod:5:");
  check_refused("go.mod", start + "replace a => \n", "go.mod:5:");
  check_refused("go.mod", start + "replace a => b\n", "go.mod:5: b replaces without a version");
  check_refused("go.mod", start + "require \"b v1\n", "go.mod:5: a quote is not closed");
  check_refused("go.mod", start + block + start + block, "go.mod:8: a second \"module\" line");
  check_refused("go.mod", start + block + block, "go.mod:9: b.example/x is required again");
  check_refused("go.mod", start + block + "require b.example/x v1.1.0\n", "line 6 requires v1.0.0");
  check_refused("go.mod", start + "replace a v1 => ./b\nreplace a v1 => ./c\n", "second time");
  check_refused("go.mod", start + "requires b.example/x v1.0.0\n", "unknown word \"requires\"");
  check_refused("go.mod", start + "/* no */\n", "comments");
  check_refused("go.mod", start + "require (\nexclude (\n", "go.mod:6: a block within a block");
  check_refused("go.mod", "require b.example/x v1.0.0\n", "no \"module\" line");
}

TEST_CASE("a go.sum that cannot be believed") {
  const auto line = "a.example/x v1.0.0 " + kHash + "\n";
  check_refused("go.sum", "", "is empty");
  check_refused("go.sum", "<html>", "is a web page");
  check_refused("go.sum", line + "a.example/y v1.0.0 " + kHash.substr(0, 20), "go.sum:2: the hash");
  check_refused("go.sum", line + "a.example/y v1", "go.sum:2: is no go.sum line");
  check_refused("go.sum", line + line, "go.sum:2: repeats an earlier line");
  check_refused("go.sum", line + "a.example/x v1.0.0 " + kOther + "\n",
                "go.sum:2: another hash for a.example/x v1.0.0 than line 1");
  check_refused("go.sum", line + "a.example/\x1b[2Jy v1.0.0 " + kHash,
                "go.sum:2: is no go.sum line");
}

TEST_CASE("a file larger than a lockfile can be is not read") {
  test::TemporaryFolder folder;
  const auto file = folder.write("lock", "0123456789");
  CHECK(read_text(file, 10).value() == "0123456789");
  const auto cut = read_text(file, 9);
  REQUIRE_FALSE(cut);
  CHECK(cut.error().fault == Fault::input);
  CHECK(test::says(cut.error().what, "larger than 9 bytes"));
}

TEST_CASE("a broken go.sum beside a go.mod is not passed over") {
  Files files("go.mod", "module a.example\ngo 1.21\nrequire b.example/x v1.0.0\n");
  files.add("go.sum", "b.example/x v1.0.0 h1:cut\n");
  const auto reading = read_modules(files.path("go.mod"));
  REQUIRE_FALSE(reading);
  CHECK(test::says(reading.error().what, "go.sum:1"));
}

TEST_CASE("files that name no modules are refused, with the inputs that work") {
  for (const auto* text : {"hello\n", "{\"lockfileVersion\": 99}\n", "\x89PNG\r\n"}) {
    const auto reading = read("file", text);
    REQUIRE_FALSE(reading);
    CHECK(test::says(reading.error().fix, "go.mod"));
  }
  CHECK(test::says(read_modules("/nonexistent/go.mod").error().what, "No such file"));
  CHECK(test::says(read_modules("/tmp").error().what, "is a folder"));
}

TEST_CASE("a lockfile under another name is known by its content") {
  CHECK(read("old.lock", "// x\nmodule a.example\ngo 1.21\nrequire b.example/x v1.0.0\n"));
  CHECK(read("sums.txt", "a.example/x v1.0.0 " + kHash + "\n"));
}
