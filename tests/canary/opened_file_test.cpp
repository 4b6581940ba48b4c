#include "canary/opened_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "material.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

std::unique_ptr<OpenedFile> open_file(const std::filesystem::path& path) {
  subject::FileDescriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  REQUIRE(fstat(fd.get(), &status) == 0);
  return std::make_unique<OpenedFile>(path.string(), std::move(fd), status, kValue.size() - 1);
}

void scan_all(OpenedFile& file) {
  const auto matcher = make_gram_matcher({kValue});
  Scanner scanner(*matcher, [] { return false; });
  std::size_t left = file.pieces().size();
  for (const auto& range : file.pieces())
    CHECK(file.add(scanner.scan(file.fd(), range)) == (--left == 0));
}

std::vector<std::uint64_t> offsets(const OpenedFile& file) {
  std::vector<Hit> hits;
  file.found().append_hits("", Place::content, "", hits);
  return hits.empty() ? std::vector<std::uint64_t>{} : hits.front().offsets;
}

}  // namespace

TEST_CASE("a file that stays as it is is accounted for to the byte") {
  const test::TemporaryFolder folder;
  const auto file = open_file(folder.write("file", filler_with(100'000, 70'000)));
  scan_all(*file);
  CHECK(file->read() == 100'000);
  CHECK(file->unread() == 0);
  CHECK(file->unseen().empty());
  CHECK(offsets(*file) == std::vector<std::uint64_t>{70'000});
}

TEST_CASE("a file that became shorter says how much was not seen") {
  const test::TemporaryFolder folder;
  const auto path = folder.write("file", filler(100'000));
  const auto file = open_file(path);
  REQUIRE(truncate(path.c_str(), 30'000) == 0);
  scan_all(*file);
  CHECK(file->read() == 30'000);
  CHECK(file->unread() == 70'000);
  const auto unseen = file->unseen();
  REQUIRE(unseen.size() == 2);
  CHECK(unseen[0].why == "became shorter while it was read: 70000 of 100000 bytes were not seen");
  CHECK(unseen[1].cause == Unseen::Cause::changed);
}

TEST_CASE("what was added to a file is searched too, and the change is told") {
  const test::TemporaryFolder folder;
  const auto path = folder.write("file", filler(1000));
  const auto file = open_file(path);
  std::ofstream(path, std::ios::app) << kValue;
  scan_all(*file);
  CHECK(offsets(*file) == std::vector<std::uint64_t>{1000});
  REQUIRE(file->unseen().size() == 1);
  CHECK(file->unseen()[0].cause == Unseen::Cause::changed);
}

// As a file of /proc or a log that is written without end: its size when it was opened is nothing.
TEST_CASE("a file without an end is read for 1 GiB, and told") {
  const test::TemporaryFolder folder;
  const auto path = folder.write("endless", "");
  const auto file = open_file(path);
  REQUIRE(truncate(path.c_str(), off_t{3} << 30) == 0);
  scan_all(*file);
  CHECK(file->read() == std::uint64_t{1} << 30);
  REQUIRE(file->unseen().size() == 1);
  CHECK(file->unseen()[0].why == "grew faster than it could be read");
  CHECK(file->unseen()[0].cause == Unseen::Cause::changed);
}

TEST_CASE("a file rewritten in place with the same size is told") {
  const test::TemporaryFolder folder;
  const auto path = folder.write("file", filler(1000));
  const auto file = open_file(path);
  scan_all(*file);
  const timespec times[2] = {{1, 0}, {1, 0}};
  std::fstream(path, std::ios::in | std::ios::out) << "x";
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  REQUIRE(file->unseen().size() == 1);
  CHECK(file->unseen()[0].cause == Unseen::Cause::changed);
}

TEST_CASE("large and sparse files are cut into pieces, and found across their seams") {
  const test::TemporaryFolder folder;
  const auto path = folder.write("sparse", "");
  constexpr std::uint64_t seam = std::uint64_t{32} << 20;
  std::fstream out(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto data = filler(1 << 20);
  for (int i = 0; i < 34; ++i) out << data;
  out.seekp(static_cast<std::streamoff>(seam) - 11) << kValue;
  out.seekp(std::streamoff{100} << 20) << kValue;
  out.close();
  REQUIRE(truncate(path.c_str(), off_t{200} << 20) == 0);

  const auto file = open_file(path);
  scan_all(*file);
  CHECK(offsets(*file) == std::vector<std::uint64_t>{seam - 11, std::uint64_t{100} << 20});
  CHECK(file->read() + file->holes() == std::uint64_t{200} << 20);
  CHECK(file->unseen().empty());
  if (!test::require(file->holes() > 0, "a file system that keeps holes")) return;
  CHECK(file->holes() > std::uint64_t{150} << 20);
}

TEST_CASE("a value that begins or ends in a hole is found") {
  constexpr std::streamoff mib = std::streamoff{1} << 20;
  const auto value = std::string("\0\0\0\0\0\0\0\0key bytes\0\0\0\0\0\0\0", 24);
  for (const auto at : {mib, mib + 4096 - 9}) {  // the first and the last bytes of a block
    INFO(at);
    const test::TemporaryFolder folder;
    const auto path = folder.write("sparse", "");
    {
      std::fstream out(path, std::ios::in | std::ios::out | std::ios::binary);
      out.seekp(at) << "key bytes";
      out.seekp(4 * mib - 1) << "x";
    }
    const auto file = open_file(path);
    const auto matcher = make_gram_matcher({value});
    Scanner scanner(*matcher, [] { return false; });
    std::size_t found = 0;
    for (const auto& range : file->pieces())
      if (!scanner.scan(file->fd(), range).found.empty()) ++found;
    CHECK(found == 1);
  }
}
