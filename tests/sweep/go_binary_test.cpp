#include <cstdio>
#include <random>

#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"
#include "sweep/go_program.hpp"
#include "sweep/readers/go_readers.hpp"
#include "sweep/says.hpp"
#include "sweep/text.hpp"

using namespace telltale;
using namespace telltale::sweep;

namespace {

const std::filesystem::path kGo = std::filesystem::path(TELLTALE_FIXTURES) / "go";

// The `mod`, `dep` and `=>` lines as `go version -m` prints them.
std::string as_go_prints(const Reading& reading) {
  std::string text;
  const auto line = [&](const char* word, const std::string& path, const std::string& version,
                        const std::string& sum) {
    text += std::string("\t") + word + "\t" + path + "\t" + version;
    text += sum.empty() ? "\n" : "\t" + sum + "\n";
  };
  for (const auto& module : reading.modules) {
    line(&module == &reading.modules.front() ? "mod" : "dep", module.path, module.version,
         module.sum);
    if (module.replaced_by)
      line("=>", module.replaced_by->path, module.replaced_by->version, module.replaced_by->sum);
  }
  return text;
}

std::string module_lines(const std::string& listing) {
  std::string kept;
  for (const auto& line : split(listing, '\n'))
    for (const auto* word : {"\tmod\t", "\tdep\t", "\t=>\t"})
      if (line.starts_with(word)) kept += std::string(trim(line)).insert(0, "\t") + "\n";
  return kept;
}

Reading read_program(const std::string& lines) {
  test::TemporaryFolder folder;
  const auto file = folder.write(
      "program", test::elf_program(test::build_information("go1.26.8", test::framed(lines))));
  auto reading = go_binary_reader().read(file);
  REQUIRE(reading);
  return *reading;
}

}  // namespace

TEST_CASE("the bundled program says what go version -m says, in all three formats") {
  const auto expected = module_lines(test::read_file(kGo / "greeter.txt"));
  for (const auto* name : {"greeter", "greeter-pointers", "greeter-big-endian"}) {
    INFO(name);
    auto reading = read_modules(kGo / name);
    REQUIRE(reading);
    CHECK(as_go_prints(*reading) == expected);
    CHECK(reading->modules.size() == 4);
    CHECK_FALSE(reading->weaker);
    for (const auto& module : reading->modules) CHECK(module.asked());
  }
}

TEST_CASE("a real program says what go version -m says") {
  if (!test::require(test::have_program("go"), "go, to compare with \"go version -m\"")) return;
  // The go command itself is a Go program; gofmt and it are wherever Go is installed.
  FILE* pipe = popen("f=$(command -v go) && echo $f && go version -m $f", "r");
  std::string output;
  for (char buffer[4096]; fgets(buffer, sizeof buffer, pipe) != nullptr;) output += buffer;
  REQUIRE(pclose(pipe) == 0);
  auto reading = go_binary_reader().read(output.substr(0, output.find('\n')));
  REQUIRE(reading);
  CHECK(as_go_prints(*reading) == module_lines(output));
}

TEST_CASE("what is not asked says why") {
  struct Case {
    const char* lines;
    ModuleKind kind;
    const char* asked;  // path@version, when it is asked
  };
  const Case cases[] = {
      {"mod\ta.example/x\t(devel)\t\n", ModuleKind::main, ""},
      {"mod\ta.example/x\tv1.0.0\n", ModuleKind::main, ""},
      {"mod\ta.example/x\tv1.0.0+dirty\th1:x\n", ModuleKind::main, ""},
      {"mod\tcommand-line-arguments\t(devel)\t\n", ModuleKind::main, ""},
      {"mod\ta.example/x\tv1.0.0\th1:x\n", ModuleKind::published, "a.example/x@v1.0.0"},
      {"dep\ta.example/x\tv0.0.0\n=>\t./staging/x\t(devel)\t\n", ModuleKind::local, ""},
      {"dep\ta.example/x\tv0.0.0\n=>\t../x\t\n", ModuleKind::local, ""},
      {"dep\ta.example/x\t(devel)\t\n", ModuleKind::local, ""},
      {"dep\ta.example/x\tv1.0.0\n=>\tb.example/y\tv1.2.0\th1:y\n", ModuleKind::published,
       "b.example/y@v1.2.0"},
      {"dep\ta.example/x\tv1.0.0\n", ModuleKind::published, "a.example/x@v1.0.0"},
      {"dep\tgolang.org/toolchain\tv0.0.1-go1.22.3.linux-amd64\n", ModuleKind::toolchain, ""},
  };
  for (const auto& row : cases) {
    INFO(row.lines);
    const auto reading = read_program(std::string("path\tx\n") + row.lines);
    REQUIRE(reading.modules.size() == 1);
    const auto& module = reading.modules[0];
    CHECK(name(module.kind) == name(row.kind));
    CHECK(module.reason.empty() == module.asked());
    if (module.asked()) CHECK(module.asked_path() + "@" + module.asked_version() == row.asked);
  }
}

TEST_CASE("a vendored program has modules and no hashes") {
  const auto reading = read_program("dep\ta.example/x\tv1.0.0\nbuild\t-mod=vendor\n");
  CHECK(reading.modules[0].asked());
  CHECK(reading.modules[0].sum.empty());
}

// A stripped program's data segment begins where its first section does, at any multiple of 8, and
// is read a MiB at a time.
TEST_CASE("build information is found where two reads meet") {
  test::TemporaryFolder folder;
  const auto blob = test::build_information("go1.26.8", test::framed("dep\ta.example/x\tv1.0.0\n"));
  for (const auto before : {8U, (1U << 20) - 8, 1U << 20, (1U << 20) + 8, (2U << 20) - 8}) {
    INFO(before);
    const auto address = 0x10000 + 16 - before % 16;  // its magic lies on a multiple of 16
    const auto file =
        folder.write("program", test::elf_program(std::string(before, 'x') + blob, address));
    const auto reading = read_modules(file);
    REQUIRE(reading);
    CHECK(reading->modules.size() == 1);
  }
}

TEST_CASE("programs that do not say what they are built from") {
  test::TemporaryFolder folder;
  struct Case {
    const char* name;
    std::string bytes;
    const char* expected;
  };
  const auto blob = test::build_information("go1.26.8", test::framed("dep\ta.example/x\tv1\n"));
  auto no_modules = test::elf_program(test::build_information("go1.26.8", ""));
  const Case cases[] = {
      {"windows", "MZ" + std::string(100, 'x'), "is no ELF program"},
      {"header only", std::string("\x7f\x45\x4c\x46\x02\x01\x01", 7) + std::string(20, '\0'),
       "cut off"},
      {"no Go", test::elf_program(std::string(4096, 'x')), "holds no Go build information"},
      {"unaligned", test::elf_program("x" + blob), "holds no Go build information"},
      {"cut in the text", test::elf_program(blob.substr(0, blob.size() - 20)), "damaged"},
      {"cut in the header", test::elf_program(blob.substr(0, 30)), "holds no Go build information"},
      {"endless length", test::elf_program(blob.substr(0, 32) + std::string(64, '\xff')),
       "damaged"},
      {"no modules", no_modules, "names no module"},
      {"control characters",
       test::elf_program(test::build_information("go1", test::framed("dep\ta\x1b[2J\tv1\n"))),
       "control characters"},
      {"replaces nothing",
       test::elf_program(test::build_information("go1", test::framed("=>\ta.example\tv1\n"))),
       "replaces nothing"},
      {"two mains",
       test::elf_program(test::build_information("go1", test::framed("mod\ta\tv1\nmod\tb\tv1\n"))),
       "second main"},
      {"short line", test::elf_program(test::build_information("go1", test::framed("dep\ta\n"))),
       "line 1"},
  };
  for (const auto& row : cases) {
    INFO(row.name);
    const auto reading = read_modules(folder.write("program", row.bytes));
    REQUIRE_FALSE(reading);
    CHECK(reading.error().fault == Fault::input);
    CHECK(test::says(reading.error().what, row.expected));
    CHECK_FALSE(reading.error().fix.empty());
  }
}

// No sanitizer may speak up and nothing may hang; what is read does not matter.
TEST_CASE("damaged programs are read without harm") {
  test::TemporaryFolder folder;
  std::mt19937 random(20260102);
  for (const auto* name : {"greeter", "greeter-pointers", "greeter-big-endian"}) {
    const auto sound = test::read_file(kGo / name);
    const auto pick = [&](std::size_t below) { return random() % below; };
    for (int round = 0; round < 400; ++round) {
      auto bytes = sound;
      for (auto changes = pick(4) + 1; changes > 0; --changes)
        bytes[pick(round % 2 == 0 ? 128 : bytes.size())] = static_cast<char>(random());
      if (round % 5 == 0) bytes.resize(pick(bytes.size()) + 1);
      (void)read_modules(folder.write("damaged", bytes));
    }
  }
}
