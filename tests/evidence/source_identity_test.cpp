// Against real git, on checkouts that the test makes.
#include <unistd.h>

#include <cstdlib>

#include "evidence/program_output.hpp"
#include "evidence/subject_stamp.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::evidence;
using telltale::test::TemporaryFolder;

namespace {

bool have_git() {
  return telltale::test::require(telltale::test::have_program("git"), "git");
}

void git(const std::filesystem::path& folder, std::vector<std::string> words) {
  std::vector<std::string> argv{"git",         "-C", folder.string(),           "-c",
                                "user.name=t", "-c", "user.email=t@example.com"};
  argv.insert(argv.end(), words.begin(), words.end());
  REQUIRE(output_of(argv, {std::string("PATH=") + std::getenv("PATH"), "HOME=/nonexistent"}));
}

void make_checkout(const TemporaryFolder& folder) {
  git(folder.path(), {"init", "-q"});
  folder.write("a.c", "int main;");
  folder.write("src/b.c", "");
  git(folder.path(), {"add", "."});
  git(folder.path(), {"commit", "-q", "-m", "one"});
}

}  // namespace

TEST_CASE("a checkout is named by path, remote and commit") {
  if (!have_git()) return;
  const TemporaryFolder folder;
  make_checkout(folder);
  git(folder.path(), {"remote", "add", "origin", "https://user:tok3n@git.example/x.git"});
  const auto source = read_source(folder / "src");
  CHECK(source.path == (folder / "src").string());
  CHECK(source.remote == "https://git.example/x.git");
  CHECK(source.commit.size() == 40);
  CHECK_FALSE(source.dirty);

  folder.write("untracked", "x");
  CHECK_FALSE(read_source(folder.path()).dirty);
  folder.write("a.c", "int changed;");
  CHECK(read_source(folder.path()).dirty);
}

TEST_CASE("no checkout, no commit, no folder: the fields stay empty") {
  const TemporaryFolder folder;
  const auto plain = read_source(folder.path());
  CHECK(plain.path == folder.path().string());
  CHECK(plain.commit.empty());
  CHECK(plain.remote.empty());
  CHECK(read_source(folder / "missing").path.empty());
  CHECK(read_source("").path.empty());
  if (!have_git()) return;
  git(folder.path(), {"init", "-q"});
  CHECK(read_source(folder.path()).commit.empty());
}

TEST_CASE("a checkout of another user is read all the same") {
  if (!have_git()) return;
  if (!telltale::test::require(geteuid() == 0, "root, to give a checkout away")) return;
  const TemporaryFolder folder;
  make_checkout(folder);
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder.path()))
    REQUIRE(lchown(each.path().c_str(), 65534, 65534) == 0);
  REQUIRE(chown(folder.path().c_str(), 65534, 65534) == 0);
  CHECK(read_source(folder.path()).commit.size() == 40);
}

TEST_CASE("a hostile checkout's monitor and hooks are not run") {
  if (!have_git()) return;
  const TemporaryFolder folder;
  make_checkout(folder);
  const auto mark = folder / "ran";
  const auto program =
      folder.write_program("monitor", "#!/bin/sh\ntouch " + mark.string() + "\n").string();
  git(folder.path(), {"config", "core.fsmonitor", program});
  const auto source = read_source(folder.path());
  CHECK(source.commit.size() == 40);
  CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("git is never asked for a terminal, a configuration or a network") {
  const TemporaryFolder folder;
  const auto environment = folder / "environment";
  folder.write_program("bin/git", "#!/bin/sh\nenv > " + environment.string() + "\necho x\n");
  std::filesystem::create_directories(folder / "checkout/.git");
  const std::string before = std::getenv("PATH");
  setenv("PATH", ((folder / "bin").string() + ":" + before).c_str(), 1);
  (void)read_source(folder / "checkout");
  setenv("PATH", before.c_str(), 1);
  const auto given = telltale::test::read_file(environment);
  for (const auto* line : {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
                           "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=none"})
    CHECK(given.find(line) != std::string::npos);
}
