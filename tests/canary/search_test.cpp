#include "canary/search.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "canary/encodings.hpp"
#include "canary/mint.hpp"
#include "material.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

using Places = std::vector<std::string>;

SearchResult searched(const std::filesystem::path& root, const std::string& value = kValue) {
  return search(plan_for({root.string()}, value)).value();
}

}  // namespace

TEST_CASE("a value is found in every kind of file, and nothing where it is not") {
  const test::TemporaryFolder folder;
  folder.write("text", "a line\n" + kValue + "\n");
  folder.write(".hidden/binary", filler_with(3'000'000, 2'222'222));
  folder.write("rotated.log.2.gz", gzipped("x\n" + kValue));
  folder.write("other", filler(100'000));
  folder.write("other.gz", gzipped(filler(100'000)));
  folder.write("empty", "");
  const auto result = searched(folder.path());
  const auto root = folder.path().string();
  CHECK(places(result) ==
        Places{root + "/.hidden/binary", root + "/rotated.log.2.gz > gzip", root + "/text"});
  CHECK(result.hits[0].offsets == std::vector<std::uint64_t>{2'222'222});
  CHECK(result.counts.files == 6);
  CHECK(result.counts.with_content == 5);
  CHECK(result.counts.folders == 2);
  CHECK(result.counts.unread == 0);
  CHECK(result.unseen.empty());
  CHECK(result.patterns.at(result.hits[0].pattern).label() == "canary 1, raw");
}

TEST_CASE("names, links and paths cut by slashes are content") {
  const test::TemporaryFolder folder;
  folder.write("user-" + kValue + ".json", "x");
  folder.write("objects/" + kValue.substr(0, 2) + "/" + kValue.substr(2), "x");
  std::filesystem::create_directory(folder / ("d" + kValue));
  folder.write("d" + kValue + "/inside", "x");
  std::filesystem::create_symlink("/nowhere/" + kValue, folder / "link");
  folder.write("bytes\xff" + kValue, "x");
  const auto root = folder.path().string();
  CHECK(places(searched(folder.path())) ==
        Places{root + "/bytes\xff" + kValue + " (its name)", root + "/d" + kValue + " (its name)",
               root + "/link (what the link points at)",
               root + "/objects/" + kValue.substr(0, 2) + "/" + kValue.substr(2) + " (its name)",
               root + "/user-" + kValue + ".json (its name)"});
}

TEST_CASE("extended attributes of files and folders are content, their names too") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("file", "x");
  const auto set = [](const std::filesystem::path& path, const std::string& name,
                      const std::string& value) {
    return setxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0) == 0;
  };
  if (!test::require(set(file, "user.note", "x" + kValue), "a file system with user attributes"))
    return;
  REQUIRE(set(folder.path(), "user." + kValue, ""));
  const auto result = searched(folder.path());
  const auto root = folder.path().string();
  CHECK(places(result) ==
        Places{root + " (attribute user." + kValue + ")", root + "/file (attribute user.note)"});
  CHECK(result.counts.attributes == 2);
}

TEST_CASE("sockets and FIFOs are counted and not opened, a hard link is read once") {
  const test::TemporaryFolder folder;
  const auto file = folder.write("file", kValue);
  std::filesystem::create_hard_link(file, folder / "same");
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{AF_UNIX, {}};
  (folder / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(bind(made, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  const auto result = searched(folder.path());
  close(made);
  CHECK(result.counts.special == 2);
  CHECK(result.counts.files == 1);
  CHECK(result.counts.again == 1);
  CHECK(result.hits.size() == 1);
  CHECK(result.unseen.empty());
}

TEST_CASE("a link that leads out of the tree is read, not followed") {
  const test::TemporaryFolder outside;
  outside.write("file", kValue);
  const test::TemporaryFolder folder;
  folder.write("file", "x");
  std::filesystem::create_directory_symlink(outside.path(), folder / "out");
  std::filesystem::create_symlink(outside / "file", folder / "file-out");
  const auto result = searched(folder.path());
  CHECK(result.hits.empty());
  CHECK(result.counts.links == 2);
  CHECK(result.counts.files == 1);
}

TEST_CASE("a key is found in the forms that configuration and logs have it in") {
  const test::TemporaryFolder folder;
  const auto bytes = random_bytes(32);
  const auto key = to_hex(bytes);
  folder.write("raw", filler(999) + bytes);
  folder.write("config", "key=" + key);
  folder.write("log", "loaded key " + to_upper_hex(bytes));
  folder.write("json", "{\"k\":\"" + base64_core("ab" + bytes, 0, Alphabet::base64) + "\"}");
  SearchPlan plan;
  plan.roots = {folder.path().string()};
  plan.patterns = key_patterns(key).value();
  const auto result = search(plan).value();
  std::vector<std::string> found;
  for (const auto& hit : result.hits) found.push_back(result.patterns[hit.pattern].form);
  CHECK(found == std::vector<std::string>{"hex", "base64 offset 2", "hex upper case", "raw"});
}

TEST_CASE("a file full of the value is one hit, counted") {
  const test::TemporaryFolder folder;
  std::string full;
  for (int i = 0; i < 100'000; ++i) full += kValue;
  folder.write("full", full);
  const auto result = searched(folder.path());
  REQUIRE(result.hits.size() == 1);
  CHECK(result.hits[0].count == 100'000);
  CHECK(result.hits[0].offsets.size() == 16);
  CHECK(result.hits[0].offsets.back() == 15 * kValue.size());
}

TEST_CASE("roots inside roots are searched once, roots may be files") {
  const test::TemporaryFolder folder;
  folder.write("a/file", kValue);
  folder.write("b", kValue);
  const auto root = folder.path().string();
  CHECK(search(plan_for({root + "/a", root, root + "/", root + "/a/file"}))->roots == Places{root});
  const auto result = search(plan_for({root + "/a/file", root + "/b"})).value();
  CHECK(places(result) == Places{root + "/a/file", root + "/b"});
  CHECK(search(plan_for({root + "/a", root + "/ab"})).error().fault == Fault::input);
}

TEST_CASE("without a value or a folder there is no search") {
  auto nothing = plan_for({"/proc/self/status"});
  nothing.patterns.clear();
  for (const auto& plan : {nothing, plan_for({})}) {
    const auto result = search(plan);
    REQUIRE_FALSE(result);
    CHECK(result.error().fault == Fault::input);
  }
  const auto missing = search(plan_for({"/no/such/folder"}));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().what == "/no/such/folder cannot be searched: No such file or directory");
}

// As in the image of the very file system that the controls were planted on.
TEST_CASE("the nonce of the controls is never something that was found") {
  const test::TemporaryFolder folder;
  folder.write("file", kValue);
  auto plan = plan_for({folder.path().string()});
  plan.matcher = [&](std::vector<std::string> literals) {
    folder.write("image", literals.back());
    return make_gram_matcher(std::move(literals));
  };
  const auto result = search(plan).value();
  CHECK(result.counts.files == 2);
  CHECK(places(result) == std::vector<std::string>{(folder / "file").string()});
}

TEST_CASE("a search that is interrupted ends, and keeps what it saw") {
  const test::TemporaryFolder folder;
  folder.write("file", kValue);
  auto plan = plan_for({folder.path().string()});
  plan.interrupted_by = [] { return SIGINT; };
  const auto result = search(plan).value();
  CHECK(result.interrupted_by == SIGINT);
  CHECK(result.counts.files == 0);
}

TEST_CASE("many threads find what one finds") {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 500; ++i)
    folder.write("d" + std::to_string(i % 7) + "/f" + std::to_string(i),
                 filler_with(2000, static_cast<std::size_t>(i)));
  const auto big = folder.write("big", filler(1 << 20));
  REQUIRE(truncate(big.c_str(), off_t{300} << 20) == 0);
  {
    std::fstream out(big, std::ios::in | std::ios::out | std::ios::binary);
    for (int i = 1; i < 9; ++i) out.seekp((std::streamoff{32} << 20) * i - 5) << kValue;
  }
  auto plan = plan_for({folder.path().string()});
  plan.threads = 1;
  const auto one = search(plan).value();
  plan.threads = 8;
  const auto many = search(plan).value();
  CHECK(places(one).size() == 501);
  CHECK(places(one) == places(many));
  CHECK(many.hits[0].count == 8);
  CHECK(many.counts.read == one.counts.read);
  CHECK(many.counts.holes == one.counts.holes);
  CHECK(many.counts.files == 501);
}

TEST_CASE("a tree of 200,000 files is searched whole") {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 200; ++i) {
    const auto name = folder / ("d" + std::to_string(i));
    std::filesystem::create_directory(name);
    const int at = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int j = 0; j < 1000; ++j)
      close(openat(at, std::to_string(j).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    close(at);
  }
  folder.write("d199/last", kValue);
  const auto result = searched(folder.path());
  CHECK(result.counts.files == 200'001);
  CHECK(result.counts.with_content == 1);
  CHECK(result.hits.size() == 1);
}
