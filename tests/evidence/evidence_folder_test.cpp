#include "evidence/evidence_folder.hpp"

#include <nlohmann/json.hpp>

#include "evidence/results.hpp"
#include "sample_run.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/results_schema.hpp"
#include "support/small_disk.hpp"

using namespace telltale::evidence;
using namespace telltale::test;
using telltale::Fault;

namespace fs = std::filesystem;

namespace {

const Instant kWhen{std::chrono::milliseconds(1796045006042)};  // 2026-11-30T13:23:26.042Z

void check_refused(const telltale::Result<EvidenceFolder>& folder, const std::string& what) {
  REQUIRE_FALSE(folder);
  CHECK(folder.error().fault == Fault::input);
  CHECK_FALSE(folder.error().fix.empty());
  INFO(folder.error().what);
  CHECK(folder.error().what.find(what) != std::string::npos);
}

// The working folder of the process, put back at the end.
class Inside {
 public:
  explicit Inside(const fs::path& folder) { fs::current_path(folder); }
  ~Inside() { fs::current_path(before_); }

 private:
  fs::path before_ = fs::current_path();
};

}  // namespace

TEST_CASE("an evidence folder says that it is unfinished until it is not") {
  const TemporaryFolder base;
  const auto folder = EvidenceFolder::create(base / "a/b/", "notes", kWhen).value();
  CHECK(folder.path() == base / "a/b");
  CHECK(fs::exists(folder.path() / "UNFINISHED"));

  REQUIRE(folder.keep(to_json(interrupted_run())));
  CHECK(fs::exists(folder.path() / "UNFINISHED"));
  CHECK(results_faults_in(folder.path() / "results.json") == NoFaults{});

  REQUIRE(folder.keep(to_json(clean_run())));
  CHECK_FALSE(fs::exists(folder.path() / "UNFINISHED"));
  CHECK(results_faults_in(folder.path() / "results.json") == NoFaults{});
}

TEST_CASE("raw/ is private and says what it is") {
  const TemporaryFolder base;
  const auto folder = EvidenceFolder::create(base / "out", "notes", kWhen).value();
  const auto mode = fs::status(folder.raw().value()).permissions();
  CHECK((mode & fs::perms::mask) == fs::perms::owner_all);
  CHECK(read_file(folder.path() / "raw/README").find("Do not share") == 0);
  CHECK(fs::is_directory(folder.raw("log").value()));
  CHECK(folder.raw("log").value() == folder.path() / "raw/log");
}

TEST_CASE("a lane's folder is made when it is needed, once") {
  const TemporaryFolder base;
  const auto folder = EvidenceFolder::create(base / "out", "notes", kWhen).value();
  CHECK_FALSE(fs::exists(folder.path() / "egress"));
  CHECK(folder.lane("egress").value() == folder.path() / "egress");
  CHECK(folder.lane("egress"));
  CHECK(fs::is_directory(folder.path() / "egress"));
}

TEST_CASE("without --out the folder is named after the subject and the date") {
  const TemporaryFolder base;
  const Inside inside(base.path());
  const auto first = EvidenceFolder::create("", "notes", kWhen).value();
  CHECK(first.path() == "evidence/notes-2026-11-30-132326");
  const auto second = EvidenceFolder::create("", "notes", kWhen).value();
  CHECK(second.path() == "evidence/notes-2026-11-30-132326-2");
  CHECK(fs::exists(base / "evidence/notes-2026-11-30-132326-2/UNFINISHED"));
  CHECK(evidence_name("../a b/c", kWhen) == "run..-a-b-c-2026-11-30-132326");
}

TEST_CASE("evidence is never overwritten") {
  const TemporaryFolder base;
  base.write("used/results.json", "{}");
  base.write("file", "");
  fs::create_directory(base / "empty");
  check_refused(EvidenceFolder::create(base / "used", "n", kWhen), "exists and is not empty");
  check_refused(EvidenceFolder::create(base / "file", "n", kWhen), "is a file");
  check_refused(EvidenceFolder::create(base / "file/below", "n", kWhen), "Not a directory");
  CHECK(EvidenceFolder::create(base / "empty", "n", kWhen));
  CHECK(read_file(base / "used/results.json") == "{}");
}

TEST_CASE("a place that cannot be written is refused before the run") {
  if (!require(SmallDisk::possible(), "root, to mount a tmpfs")) return;
  const SmallDisk read_only(64 * 1024, true);
  check_refused(EvidenceFolder::create(read_only.path() / "out", "n", kWhen),
                "out: Read-only file system");

  const SmallDisk full(64 * 1024);
  full.fill();
  const auto folder = EvidenceFolder::create(full.path() / "out", "n", kWhen);
  REQUIRE_FALSE(folder);
  CHECK(folder.error().fault == Fault::instrument);
  CHECK(folder.error().what.find("No space left on device") != std::string::npos);
}
