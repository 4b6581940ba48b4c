#include "subject/process/start_error.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "subject/enclosure.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "world.hpp"

using namespace telltale;
using namespace telltale::subject;
using telltale::test::Holds;

namespace {

namespace fs = std::filesystem;

Error start(const fs::path& program, const std::string& user = {}, const fs::path& folder = "/") {
  ProcessPlan plan;
  plan.argv = {program.string()};
  plan.user = user;
  plan.folder = folder;
  auto process = make_plain_enclosure()->start(std::move(plan));
  REQUIRE_FALSE(process);
  CHECK_FALSE(process.error().fix.empty());
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);  // not even a zombie is left
  return process.error();
}

}  // namespace

TEST_CASE("a program that is missing is named") {
  const auto error = start("/no/such/program");
  CHECK(error.fault == Fault::subject);
  CHECK(error.what == "/no/such/program does not exist");
}

TEST_CASE("a name that no folder of PATH holds is named with PATH") {
  ProcessPlan plan;
  plan.argv = {"no-such-program"};
  plan.environment = {{"PATH", "/usr/bin:/bin"}};
  auto process = make_plain_enclosure()->start(std::move(plan));
  REQUIRE_FALSE(process);
  CHECK(process.error().fault == Fault::subject);
  CHECK(process.error().what == "no-such-program is in no folder of PATH (/usr/bin:/bin)");
}

TEST_CASE("PATH of the plan decides, not the tool's") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() / "only-here", "#!/bin/sh\nexit 5\n", 0755);
  const auto enclosure = make_plain_enclosure();
  const auto ran = test::run_actor(*enclosure, {}, [&](ProcessPlan& plan) {
    plan.argv = {"only-here"};
    plan.environment = {{"PATH", "/bin:" + folder.path().string()}};
  });
  REQUIRE(ran);
  CHECK(ran->exit.status == 5);
}

TEST_CASE("a file that is not executable is told from one that is missing") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() / "plain", "#!/bin/sh\n");
  const auto error = start(folder.path() / "plain");
  CHECK(error.fault == Fault::subject);
  CHECK_THAT(error.what, Holds("plain is not executable"));
  CHECK_THAT(error.fix, Holds("chmod +x"));
}

TEST_CASE("a folder is no program") {
  CHECK_THAT(start("/usr").what, Holds("/usr is a folder"));
}

TEST_CASE("a script whose interpreter is missing names it") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() / "script", "#!/no/such/shell -x\n", 0755);
  CHECK_THAT(start(folder.path() / "script").what,
             Holds("script names an interpreter that does not exist: /no/such/shell"));
  test::write_file(folder.path() / "dos", "#!/bin/sh\r\necho\r\n", 0755);
  CHECK_THAT(start(folder.path() / "dos").what, Holds("/bin/sh and a carriage return"));
}

TEST_CASE("a program whose loader is missing names it") {
  const test::TemporaryFolder folder;
  std::string bytes = test::read_file(test::actor());
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  const auto at = bytes.find(loader);
  if (!telltale::test::require(at != std::string::npos, "a dynamically linked x86-64 program"))
    return;
  bytes.replace(at, loader.size(), "/lib64/ld-nowhere-86-64.so.2", loader.size());
  test::write_file(folder.path() / "foreign", bytes, 0755);
  CHECK_THAT(start(folder.path() / "foreign").what, Holds("needs the loader /lib64/ld-nowhere"));
}

TEST_CASE("a program for another processor, an empty file and plain text are told apart") {
  const test::TemporaryFolder folder;
  std::string bytes = test::read_file(test::actor());
  bytes[offsetof(Elf64_Ehdr, e_machine)] = 8;  // MIPS
  bytes[offsetof(Elf64_Ehdr, e_machine) + 1] = 0;
  test::write_file(folder.path() / "mips", bytes, 0755);
  CHECK_THAT(start(folder.path() / "mips").what, Holds("another processor"));
  test::write_file(folder.path() / "empty", "", 0755);
  CHECK_THAT(start(folder.path() / "empty").what, Holds("is empty"));
  test::write_file(folder.path() / "text", "echo hello\n", 0755);
  CHECK_THAT(start(folder.path() / "text").fix, Holds("#!/bin/sh"));
}

TEST_CASE("a working folder that is missing is named") {
  CHECK_THAT(start(test::actor(), {}, "/no/such/folder").what,
             Holds("cannot enter its working folder /no/such/folder"));
}

TEST_CASE("a user that does not exist is the input's mistake") {
  const auto error = start(test::actor(), "no-such-user");
  CHECK(error.fault == Fault::input);
  CHECK_THAT(error.what, Holds("no user no-such-user"));
}

TEST_CASE("a program that its user cannot reach names the folder that is closed") {
  if (!telltale::test::require(geteuid() == 0, "root, to become the user nobody")) return;
  const test::TemporaryFolder folder;  // 0700, of root
  test::write_file(folder.path() / "program", "#!/bin/sh\n", 0755);
  CHECK_THAT(start(folder.path() / "program", "nobody").what,
             Holds("cannot be reached by the user nobody: " + folder.path().string()));
  CHECK_THAT(start("/bin/true", "nobody", folder.path()).what,
             Holds("the user nobody cannot enter its working folder"));
}

TEST_CASE("an empty command is the input's mistake") {
  auto process = make_plain_enclosure()->start(ProcessPlan{});
  REQUIRE_FALSE(process);
  CHECK(process.error().fault == Fault::input);
}
