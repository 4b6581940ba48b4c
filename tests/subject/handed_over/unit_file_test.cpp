#include "subject/handed_over/unit_file.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using telltale::subject::unit_command;

TEST_CASE("what a unit runs is read from its file") {
  const telltale::test::TemporaryFolder folder;
  folder.write("late/web.service", "[Service]\nExecStart=/late\n");
  folder.write("early/web.service",
               "[Unit]\nExecStart=/no\n[Service]\n# ExecStart=/no\nType=simple\n"
               "ExecStart = -/usr/bin/web --name %n \\\n  --literal %%h\nUser=www\n");
  const auto unit = unit_command("web", {folder / "early", folder / "late"});
  REQUIRE(unit);
  CHECK(unit->file == folder / "early/web.service");
  CHECK(unit->commands ==
        std::vector<std::string>{"/usr/bin/web --name web.service  --literal %h"});
  CHECK(unit->user == "www");
  CHECK(unit_command("web.service", {folder / "late"})->commands.front() == "/late");
}

TEST_CASE("a drop-in replaces the command, and a template is filled in") {
  const telltale::test::TemporaryFolder folder;
  folder.write("u/db@.service", "[Service]\nExecStart=/usr/bin/db %i of %p\n");
  folder.write("u/plain.service", "[Service]\nExecStart=/usr/bin/first\nUser=a\n");
  folder.write("u/plain.service.d/20.conf", "[Service]\nExecStart=\nExecStart=/usr/bin/second\n");
  folder.write("u/plain.service.d/notes", "[Service]\nExecStart=/no\n");
  CHECK(unit_command("db@15-main", {folder / "u"})->commands.front() ==
        "/usr/bin/db 15-main of db");
  const auto plain = unit_command("plain", {folder / "u"});
  CHECK(plain->commands == std::vector<std::string>{"/usr/bin/second"});
  CHECK(plain->user == "a");
}

TEST_CASE("what is no service with a command is nothing") {
  const telltale::test::TemporaryFolder folder;
  folder.write("u/empty.service", "");
  folder.write("u/no.socket", "[Service]\nExecStart=/no\n");
  folder.write("other.service", "[Service]\nExecStart=/no\n");
  for (const auto* name : {"empty", "no.socket", "missing", "../other", "", "@x"})
    CHECK_FALSE(unit_command(name, {folder / "u"}));
}
