#include "subject/build_subject.hpp"

#include <unistd.h>

#include <csignal>
#include <thread>

#include "support/catch.hpp"
#include "world.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::Holds;

namespace {

struct Yard {
  test::TemporaryFolder folder;
  Interruption interruption;

  Result<BuildReport> build(const std::string& script) {
    Specification specification;
    specification.name = "notes";
    specification.source = folder.path();
    const Build build{{"/bin/sh", "-c", script}, "out/notes"};
    return build_subject(specification, build, folder / "log", interruption);
  }
};

}  // namespace

TEST_CASE("a build runs in the source folder and its output is kept", "[threads]") {
  Yard yard;
  const auto report =
      yard.build("echo compiling; mkdir out; sleep 0.02; cp /bin/true out/notes; echo warning >&2");
  if (!report) FAIL(report.error().text());
  CHECK(report->output == yard.folder / "out/notes");
  CHECK(report->seconds >= 0.02);
  CHECK(test::read_file(yard.folder / "log") == "compiling\nwarning\n");
}

TEST_CASE("a build that fails is quoted", "[threads]") {
  Yard yard;
  const auto report = yard.build("echo no such header; exit 2");
  REQUIRE_FALSE(report);
  CHECK(report.error().fault == Fault::subject);
  CHECK_THAT(report.error().what, Holds("the build of notes failed with exit status 2") &&
                                      Holds("\n    no such header"));
  CHECK_THAT(report.error().fix, Holds((yard.folder / "log").string()));
}

TEST_CASE("a build that makes no program is no build", "[threads]") {
  Yard yard;
  const auto report = yard.build("true");
  REQUIRE_FALSE(report);
  CHECK_THAT(report.error().what, Holds("made no program " + (yard.folder / "out/notes").string()));
}

TEST_CASE("what a build leaves running is stopped", "[threads]") {
  Yard yard;
  const auto report = yard.build("mkdir out; cp /bin/true out/notes; " + test::actor() + " detach");
  REQUIRE(report);
  CHECK(test::running_with(test::actor()).empty());
}

TEST_CASE("a signal ends a build", "[threads]") {
  Yard yard;
  std::thread other([&] {
    (void)test::eventually([&] { return std::filesystem::exists(yard.folder / "begun"); });
    kill(getpid(), SIGINT);
  });
  const auto report = yard.build("touch begun; " + test::actor() + " pause");
  other.join();
  REQUIRE_FALSE(report);
  CHECK(report.error().fault == Fault::interrupted);
  CHECK(test::running_with(test::actor()).empty());
}
