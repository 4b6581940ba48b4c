#include "evidence/durable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "evidence/json_lines.hpp"
#include "evidence/mask.hpp"
#include "evidence/results.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/small_disk.hpp"

using namespace telltale::evidence;
using telltale::Fault;
using telltale::test::read_file;
using telltale::test::require;
using telltale::test::SmallDisk;
using telltale::test::TemporaryFolder;

namespace fs = std::filesystem;

TEST_CASE("a file is written whole or not at all") {
  const TemporaryFolder folder;
  const auto path = folder / "results.json";
  REQUIRE(write_durably(path, "one"));
  REQUIRE(write_durably(path, "two"));
  CHECK(read_file(path) == "two");
  CHECK_FALSE(fs::exists(path.string() + ".tmp"));

  auto file = DurableFile::create(path);
  REQUIRE(file);
  REQUIRE(file->write("three"));
  CHECK(read_file(path) == "two");
  REQUIRE(file->commit());
  CHECK(read_file(path) == "three");
}

TEST_CASE("what a crash left is replaced, and a link is not followed") {
  const TemporaryFolder folder;
  const auto path = folder / "a";
  folder.write("a.tmp", "half of an earlier run");
  REQUIRE(write_durably(path, "whole"));
  CHECK(read_file(path) == "whole");

  const auto victim = folder.write("victim", "untouched");
  fs::create_symlink(victim, folder / "a.tmp");
  REQUIRE(write_durably(path, "again"));
  CHECK(read_file(victim) == "untouched");
}

TEST_CASE("what is no regular file is written and never replaced") {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  fs::create_symlink(pipe, folder / "link");
  REQUIRE(write_durably(pipe, "one"));
  REQUIRE(write_durably(folder / "link", "two"));
  char got[7] = {};
  CHECK(read(reader, got, 6) == 6);
  CHECK(std::string(got) == "onetwo");
  close(reader);
  CHECK(fs::is_fifo(pipe));
  CHECK(fs::is_symlink(folder / "link"));
}

TEST_CASE("a reader that goes away has seen enough") {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  auto* const before = signal(SIGPIPE, SIG_IGN);
  std::thread reader([&] {
    const int fd = open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
    char first = 0;
    if (read(fd, &first, 1) != 1) first = 0;
    close(fd);
  });
  CHECK(write_durably(pipe, std::string(1 << 20, 'x')));  // more than a pipe holds
  reader.join();
  signal(SIGPIPE, before);
}

TEST_CASE("a link to a file is followed") {
  const TemporaryFolder folder;
  const auto file = folder.write("real/results.json", "old");
  fs::create_symlink(file, folder / "link");
  REQUIRE(write_durably(folder / "link", "new"));
  CHECK(read_file(file) == "new");
  CHECK(fs::is_symlink(folder / "link"));
}

TEST_CASE("a folder in the file's place says so") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "results.json");
  const auto done = write_durably(folder / "results.json", "x");
  REQUIRE_FALSE(done);
  CHECK(done.error().what.find("Is a directory") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "results.json.tmp"));
}

TEST_CASE("a folder that is missing is the user's to mend") {
  const TemporaryFolder folder;
  const auto done = write_durably(folder / "missing/results.json", "x");
  REQUIRE_FALSE(done);
  CHECK(done.error().fault == Fault::input);
  CHECK(done.error().what == "cannot write " + (folder / "missing/results.json").string() +
                                 ": No such file or directory");
  CHECK_FALSE(done.error().fix.empty());
}

TEST_CASE("a full disk leaves what was there and no half file") {
  if (!require(SmallDisk::possible(), "root, to mount a tmpfs")) return;
  const SmallDisk disk(64 * 1024);
  const auto path = disk.path() / "results.json";
  REQUIRE(write_durably(path, "old"));
  const auto done = write_durably(path, std::string(200 * 1024, 'x'));
  REQUIRE_FALSE(done);
  CHECK(done.error().fault == Fault::instrument);
  CHECK(done.error().what == "cannot write " + path.string() + ": No space left on device");
  CHECK(done.error().fix == "free some space, or choose another --out folder");
  CHECK(read_file(path) == "old");
  CHECK_FALSE(fs::exists(path.string() + ".tmp"));
}

TEST_CASE("a read-only file system says so") {
  if (!require(SmallDisk::possible(), "root, to mount a tmpfs")) return;
  const SmallDisk disk(64 * 1024, true);
  const auto done = write_durably(disk.path() / "results.json", "x");
  REQUIRE_FALSE(done);
  CHECK(done.error().fault == Fault::input);
  CHECK(done.error().what.find("Read-only file system") != std::string::npos);
}

TEST_CASE("JSON lines are there when they are finished") {
  const TemporaryFolder folder;
  const auto path = folder / "attempts.jsonl";
  Masker masker;
  REQUIRE(masker.add("KEY", "s3cretvalue"));
  {
    auto lines = JsonLines::create(path, &masker);
    REQUIRE(lines);
    lines->append({{"a", "x s3cretvalue\ny"}});
    lines->append({{"b", 2}});
    CHECK_FALSE(fs::exists(path));
    CHECK(lines->finish().value() == 2);
    CHECK(lines->finish().value() == 2);
  }
  CHECK(read_file(path) == "{\"a\":\"x [secret KEY]\\ny\"}\n{\"b\":2}\n");
  CHECK_FALSE(fs::exists(path.string() + ".tmp"));
}

TEST_CASE("JSON lines that were not finished stay under their temporary name") {
  const TemporaryFolder folder;
  const auto path = folder / "attempts.jsonl";
  JsonLines::create(path, nullptr)->append({{"a", 1}});
  CHECK_FALSE(fs::exists(path));
  CHECK(read_file(path.string() + ".tmp") == "{\"a\":1}\n");
}

TEST_CASE("JSON lines on a full disk fail at the end, once, and count what is lost") {
  if (!require(SmallDisk::possible(), "root, to mount a tmpfs")) return;
  const SmallDisk disk(256 * 1024);
  auto lines = JsonLines::create(disk.path() / "hits.jsonl", nullptr).value();
  const nlohmann::json record{{"text", std::string(1000, 'x')}};
  for (int i = 0; i < 600; ++i) lines.append(record);
  const auto finished = lines.finish();
  REQUIRE_FALSE(finished);
  CHECK(finished.error().fault == Fault::instrument);
  CHECK(finished.error().what.find("hits.jsonl: No space left on device (") != std::string::npos);
  CHECK(finished.error().what.find(" records are lost)") != std::string::npos);
  CHECK_FALSE(fs::exists(disk.path() / "hits.jsonl"));
}
