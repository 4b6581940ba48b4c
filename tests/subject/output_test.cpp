#include "subject/output.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/small_disk.hpp"
#include "world.hpp"

using namespace telltale;
using namespace telltale::subject;

namespace {

std::unique_ptr<Output> open_output(const std::filesystem::path& log, std::uint64_t limit) {
  auto output = Output::open(log, limit);
  REQUIRE(output);
  return std::move(*output);
}

void put(const FileDescriptor& writer, const std::string& text) {
  REQUIRE(write(writer.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

}  // namespace

TEST_CASE("output is kept, counted and quoted", "[threads]") {
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 1000);
  const auto writer = output->connect();
  REQUIRE(writer);
  put(*writer, "one\ntwo\n");
  put(*writer, "three");
  output->finish();
  CHECK(output->bytes() == 13);
  CHECK(output->kept() == 13);
  CHECK(output->last(1) == "three");
  CHECK(output->last(2) == "two\nthree");
  CHECK(output->last(9) == "one\ntwo\nthree");
  CHECK(output->last(0).empty());
  CHECK(test::read_file(folder / "log") == "one\ntwo\nthree");
}

TEST_CASE("beyond the limit output is watched and counted, not kept", "[threads]") {
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 5);
  std::string seen;
  output->watch([&](std::string_view chunk) { seen += chunk; });
  const auto writer = output->connect();
  put(*writer, "abc");
  put(*writer, "defgh");
  put(*writer, "needle\n");
  output->finish();
  CHECK(seen == "abcdefghneedle\n");
  CHECK(output->bytes() == 15);
  CHECK(output->kept() == 5);
  CHECK(test::read_file(folder / "log") == "abcde");
  CHECK(output->last(1) == "abcdefghneedle\n");
}

TEST_CASE("the last lines are those of the end, whatever came before", "[threads]") {
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 10);
  output->append(std::string(300'000, 'x') + "\n");
  for (int line = 0; line < 1000; ++line) output->append("line " + std::to_string(line) + "\n");
  CHECK(output->last(2) == "line 998\nline 999\n");
}

TEST_CASE("empty lines are lines", "[threads]") {
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 100);
  CHECK(output->last(3).empty());
  output->append("\n");
  CHECK(output->last(1) == "\n");
  output->append("a\n\n");
  CHECK(output->last(1) == "\n");
  CHECK(output->last(2) == "a\n\n");
  CHECK(output->last(3) == "\na\n\n");
}

TEST_CASE("a writer that stays does not hold up the end", "[threads]") {
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 1000);
  const auto writer = output->connect();
  put(*writer, "said");
  output->finish();
  CHECK(output->bytes() == 4);
}

TEST_CASE("a writer that never stops does not hold up the end", "[threads]") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 1000);
  const auto writer = output->connect();
  std::thread flood([&] {
    const std::string text(65536, 'x');
    while (write(writer->get(), text.data(), text.size()) > 0) {
    }
  });
  REQUIRE(test::eventually([&] { return output->bytes() > 1'000'000; }));
  output->finish();
  flood.join();  // its pipe was closed: EPIPE
  CHECK(output->kept() == 1000);
  std::signal(SIGPIPE, before);
}

TEST_CASE("output can be connected again, and goes on", "[threads]") {
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 1000);
  for (const auto* text : {"first\n", "second\n"}) {
    const auto writer = output->connect();
    put(*writer, text);
    output->finish();
  }
  CHECK(test::read_file(folder / "log") == "first\nsecond\n");
}

TEST_CASE("when every writer is gone the reader costs nothing", "[threads]") {
  const test::TemporaryFolder folder;
  const auto output = open_output(folder / "log", 1000);
  {
    const auto writer = output->connect();
    put(*writer, "x");
  }
  REQUIRE(test::eventually([&] { return output->bytes() == 1; }));
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  getrusage(RUSAGE_SELF, &after);
  const auto spent = after.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_utime.tv_usec -
                     before.ru_stime.tv_usec;
  CHECK(spent < 25'000);  // microseconds of 50 ms; a reader that spins takes them all
}

TEST_CASE("a log that cannot be opened is the instrument's failure") {
  const auto output = Output::open("/no/such/folder/log", 1);
  REQUIRE_FALSE(output);
  CHECK(output.error().fault == Fault::instrument);
  CHECK_THAT(output.error().what, test::Holds("/no/such/folder/log"));
}

TEST_CASE("a full disk costs the log, not the count, and is said", "[threads]") {
  if (!test::require(test::SmallDisk::possible(), "root, to mount a tmpfs")) return;
  const test::SmallDisk disk(64 * 1024);
  const auto output = open_output(disk.path() / "log", 10'000'000);
  const auto writer = output->connect();
  for (int part = 0; part < 40; ++part) put(*writer, std::string(10'000, 'x'));
  output->finish();
  CHECK(output->bytes() == 400'000);
  CHECK(output->kept() <= 64 * 1024);
  CHECK(output->lost() == "No space left on device");
}
