#include "canary/scanner.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "material.hpp"
#include "subject/file_descriptor.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

constexpr auto kEnd = std::uint64_t{1} << 40;

subject::FileDescriptor memory_file(std::string_view bytes) {
  subject::FileDescriptor fd(memfd_create("test", MFD_CLOEXEC));
  REQUIRE(pwrite(fd.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return fd;
}

std::vector<std::uint64_t> offsets(const ScannedRange& scanned) {
  std::vector<Hit> hits;
  scanned.found.append_hits("", Place::content, "", hits);
  return hits.empty() ? std::vector<std::uint64_t>{} : hits.front().offsets;
}

Scanner scanner_for(const Matcher& matcher) {
  return Scanner(matcher, [] { return false; });
}

}  // namespace

TEST_CASE("a value across the boundary of a buffer is found at every alignment") {
  const auto matcher = make_gram_matcher({kValue});
  auto scanner = scanner_for(*matcher);
  const auto fd = memory_file(filler(3 * kBufferSize));
  for (std::size_t shift = 0; shift <= kValue.size() + 1; ++shift) {
    const auto at = 2 * kBufferSize - shift;
    const auto before = filler(3 * kBufferSize).substr(at, kValue.size());
    REQUIRE(pwrite(fd.get(), kValue.data(), kValue.size(), static_cast<off_t>(at)) > 0);
    CHECK(offsets(scanner.scan(fd.get(), {0, kEnd})) == std::vector<std::uint64_t>{at});
    REQUIRE(pwrite(fd.get(), before.data(), before.size(), static_cast<off_t>(at)) > 0);
  }
}

TEST_CASE("ranges of one file report each occurrence once, at every alignment to their seam") {
  const auto matcher = make_gram_matcher({kValue});
  auto scanner = scanner_for(*matcher);
  for (std::size_t at = 100; at < 180; ++at) {
    const auto fd = memory_file(filler_with(400, at));
    const auto first = scanner.scan(fd.get(), {0, 150});
    const auto second = scanner.scan(fd.get(), {150, kEnd});
    INFO("value at " << at);
    CHECK(offsets(first).size() + offsets(second).size() == 1);
    CHECK(first.read + second.read == 400);
  }
}

// What is read behind the seam for the longest value may hold the whole of a shorter one.
TEST_CASE("a short value behind the seam belongs to the next range alone") {
  const auto matcher = make_gram_matcher({kValue.substr(0, 8), std::string(60, 'L')});
  auto scanner = scanner_for(*matcher);
  const auto fd = memory_file(filler_with(400, 155, kValue.substr(0, 8)));
  CHECK(offsets(scanner.scan(fd.get(), {0, 150})).empty());
  CHECK(offsets(scanner.scan(fd.get(), {150, kEnd})) == std::vector<std::uint64_t>{155});
}

TEST_CASE("the head is that of the file, and only of its first range") {
  const auto matcher = make_gram_matcher({kValue});
  auto scanner = scanner_for(*matcher);
  const auto fd = memory_file(filler(2000));
  CHECK(scanner.scan(fd.get(), {0, 1000}).head == filler(kHeadSize));
  CHECK(scanner.scan(fd.get(), {1000, kEnd}).head.empty());
}

TEST_CASE("a file that cannot seek, or does not know its size, is read to its end") {
  const auto matcher = make_gram_matcher({kValue});
  auto scanner = scanner_for(*matcher);
  const auto bytes = filler_with(200'000, 150'000);
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const subject::FileDescriptor in(ends[0]);
  std::thread writer([&] {
    const subject::FileDescriptor out(ends[1]);
    for (std::size_t at = 0; at < bytes.size();)
      at += static_cast<std::size_t>(write(out.get(), bytes.data() + at, bytes.size() - at));
  });
  const auto scanned = scanner.scan(in.get(), {0, kEnd});
  writer.join();
  CHECK(scanned.read == bytes.size());
  CHECK(offsets(scanned) == std::vector<std::uint64_t>{150'000});

  const subject::FileDescriptor status(open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  CHECK(scanner.scan(status.get(), {0, kEnd}).read > 100);
}

TEST_CASE("a read that fails says so") {
  const auto matcher = make_gram_matcher({kValue});
  auto scanner = scanner_for(*matcher);
  const subject::FileDescriptor memory(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  CHECK(scanner.scan(memory.get(), {0, kEnd}).error == EIO);
  const test::TemporaryFolder folder;
  const subject::FileDescriptor opened(open(folder.path().c_str(), O_RDONLY | O_CLOEXEC));
  CHECK(scanner.scan(opened.get(), {0, kEnd}).error == EISDIR);
}

TEST_CASE("a scan that is stopped ends with the buffer at hand") {
  const auto matcher = make_gram_matcher({kValue});
  int asked = 0;
  Scanner scanner(*matcher, [&] { return ++asked > 2; });
  const auto fd = memory_file(filler(5 * kBufferSize));
  CHECK(scanner.scan(fd.get(), {0, kEnd}).read == 2 * kBufferSize);
}
