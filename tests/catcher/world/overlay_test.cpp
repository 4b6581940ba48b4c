#include "catcher/world/overlay.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "catcher/world/mount_table.hpp"
#include "catcher/world/sealed_enclosure.hpp"
#include "catcher/world/user_namespace.hpp"
#include "catcher/written_files.hpp"
#include "inside.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::test;
namespace fs = std::filesystem;

namespace {

constexpr auto kBusybox = "/bin/busybox";

// A world with a view of its own, and what its shell said.
struct View {
  TemporaryFolder scratch;
  std::unique_ptr<catcher::SealedEnclosure> enclosure;

  explicit View(catcher::WorldPlan plan) {
    plan.keep = {scratch.path()};
    plan.layers = scratch / "layers";
    fs::create_directory(plan.layers);
    auto made = catcher::make_sealed_enclosure(plan);
    if (!made) FAIL(made.error().text());
    enclosure = std::move(*made);
  }

  std::string run(const std::string& script, const fs::path& folder = "/") {
    const subject::FileDescriptor output(memfd_create("output", MFD_CLOEXEC));
    subject::ProcessPlan plan;
    plan.argv = {"/bin/sh", "-c", script};
    plan.environment = {{"PATH", "/usr/bin:/bin"}};
    plan.folder = folder;
    plan.output = subject::FileDescriptor(fcntl(output.get(), F_DUPFD_CLOEXEC, 3));
    auto process = enclosure->start(std::move(plan));
    if (!process) return process.error().text();
    (void)(*process)->wait(subject::Milliseconds(60'000));
    std::string text(1 << 16, '\0');
    const ssize_t size = pread(output.get(), text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

  // "new file 4" by path.
  [[nodiscard]] std::map<std::string, std::string> written() const {
    std::map<std::string, std::string> all;
    catcher::for_each_written(enclosure->world().overlaid(), [&](const auto& file) {
      all[file.path] = std::string(file.change) + " " + file.kind + " " + std::to_string(file.size);
    });
    return all;
  }
};

}  // namespace

TEST_CASE("a mount table: blanks in paths, and fields that may be missing") {
  const auto table = catcher::parse_mount_table(
      "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
      "23 22 0:21 / /mnt/with\\040blank rw shared:1 master:2 - tmpfs none rw\n"
      "broken\n");
  REQUIRE(table.size() == 2);
  CHECK(table[0].type == "ext4");
  CHECK(table[1].point == "/mnt/with blank");
  CHECK(table[1].source == "none");
}

TEST_CASE("what is covered: parents first, mounts below on their own, the kernel's put back") {
  const TemporaryFolder folder;
  folder.write("home/disk/file", "x");
  folder.write("home/bound", "x");
  folder.write("home/proc/file", "x");
  const auto home = folder / "home";
  const auto units = catcher::overlay_units({home, folder / "not-there"},
                                            {{(home / "disk").string(), "ext4", "x"},
                                             {(home / "proc").string(), "proc", "proc"},
                                             {(home / "bound").string(), "ext4", "x"},
                                             {"/proc/sys", "proc", "proc"}});
  const auto find = [&](const fs::path& path) {
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&](const auto& unit) { return unit.folder == path; });
    REQUIRE(found != units.end());
    return *found;
  };
  CHECK(find(home).required);
  CHECK(find(home).nested);
  CHECK(find(home / "disk").overlaid);
  CHECK_FALSE(find(home / "disk").required);
  CHECK_FALSE(find(home / "proc").overlaid);
  CHECK_FALSE(find(home / "bound").overlaid);
  CHECK(std::none_of(units.begin(), units.end(),
                     [](const auto& unit) { return unit.folder.string().starts_with("/proc"); }));
  CHECK(std::is_sorted(units.begin(), units.end(),
                       [](const auto& a, const auto& b) { return a.folder < b.folder; }));
}

TEST_CASE("what the subject writes is its own view, thrown away, and known") {
  if (!have_world()) return;
  const TemporaryFolder home;
  for (const auto* name : {"kept", "changed", "touched", "deleted", "folder/inner", "gone/inner"})
    home.write(name, "mine\n");
  catcher::WorldPlan plan;
  plan.covered = {home.path()};
  View view(plan);
  const auto elsewhere = "/var/tmp/" + home.path().filename().string();
  const auto said = view.run(
      "cat kept; echo more >> changed; : >> touched; rm deleted; rm -r gone; "
      "mkdir gone; echo n > gone/new; echo n > new; ln -s x link; "
      "echo e > " +
          elsewhere + "; cat changed new; ls",
      home.path());
  CHECK(said == "mine\nmine\nmore\nn\nchanged\nfolder\ngone\nkept\nlink\nnew\ntouched\n");
  CHECK(read_file(home / "changed") == "mine\n");
  CHECK(fs::exists(home / "deleted"));
  CHECK(fs::exists(home / "gone/inner"));
  CHECK_FALSE(fs::exists(home / "new"));
  CHECK_FALSE(fs::exists(elsewhere));
  auto written = view.written();
  const auto of = [&](const char* name) { return written[(home / name).string()]; };
  CHECK(of("kept").empty());
  CHECK(of("changed") == "changed file 10");
  CHECK(of("touched") == "touched file 5");
  CHECK(of("deleted") == "deleted file 5");
  CHECK(of("gone") == "replaced folder 0");
  CHECK(of("gone/new") == "new file 2");
  CHECK(of("new") == "new file 2");
  CHECK(of("link") == "new link 0");
  CHECK(written[elsewhere] == "new file 2");
  CHECK(std::none_of(written.begin(), written.end(), [&](const auto& file) {
    return file.first.starts_with(view.scratch.path().string());
  }));
}

TEST_CASE("the tool's folder stays the machine's, but for the layers, which are out of sight") {
  if (!have_world()) return;
  const TemporaryFolder home;
  catcher::WorldPlan plan;
  plan.covered = {home.path()};
  View view(plan);
  view.scratch.write("given", "by the tool\n");
  const auto scratch = view.scratch.path().string();
  CHECK(view.run("cat " + scratch + "/given; echo back > " + scratch + "/back; ls -A " + scratch +
                 "/layers 2>/dev/null") == "by the tool\n");
  CHECK(read_file(view.scratch / "back") == "back\n");
  CHECK(view.written().empty());
}

TEST_CASE("an ordinary user cannot write through a copy what the machine would refuse") {
  if (!have_world() || getuid() == 0) return;
  const TemporaryFolder home;
  catcher::WorldPlan plan;
  plan.covered = {home.path()};
  View view(plan);
  CHECK_THAT(view.run("touch /etc/planted /usr/planted 2>&1; ls /root 2>&1; echo x > /etc/passwd"),
             Holds("denied"));
  CHECK(view.written().empty());
}

TEST_CASE("another root: its files, the world's resolver, and nothing of the machine") {
  if (!have_world() || !require(access(kBusybox, X_OK) == 0, "program busybox")) return;
  const TemporaryFolder folder;
  folder.write("etc/motd", "inside\n");
  fs::create_directory(folder / "bin");
  fs::copy_file(kBusybox, folder / "bin/busybox");
  fs::create_symlink("/bin/busybox", folder / "bin/sh");
  fs::create_symlink("/etc/motd", folder / "etc/resolv.conf");  // to be replaced, not followed
  catcher::WorldPlan plan;
  plan.root = folder.path();
  View view(plan);
  const auto said = view.run(
      "b=/bin/busybox; $b cat /etc/motd /etc/resolv.conf; $b ls /; echo x > /new; $b rm /etc/motd; "
      "echo x > /dev/null && echo null; $b test -c /dev/tty && echo tty; "
      "$b readlink /proc/self/exe; $b test -e /etc/passwd || echo none");
  CHECK(
      said ==
      "inside\nnameserver 198.51.100.1\nbin\ndev\netc\nproc\nsys\nnull\ntty\n/bin/busybox\nnone\n");
  CHECK(read_file(folder / "etc/motd") == "inside\n");
  CHECK(fs::is_symlink(folder / "etc/resolv.conf"));
  CHECK_FALSE(fs::exists(folder / "dev"));
  CHECK(view.written() == std::map<std::string, std::string>{{"/etc/motd", "deleted file 7"},
                                                             {"/new", "new file 2"}});
}

TEST_CASE("a subject of another root cannot leave it, and the tool's own programs still start") {
  if (!have_world() || !require(access(kBusybox, X_OK) == 0, "program busybox")) return;
  const TemporaryFolder folder;
  fs::create_directory(folder / "bin");
  fs::copy_file(kBusybox, folder / "bin/busybox");
  fs::create_symlink("/bin/busybox", folder / "bin/sh");
  catcher::WorldPlan plan;
  plan.root = folder.path();
  View view(plan);
  CHECK_THAT(
      view.run("/bin/busybox ls /proc/1/root/ 2>&1; /bin/busybox mount -t tmpfs x /bin 2>&1"),
      Holds("denied"));
  subject::ProcessPlan own;
  own.argv = {caller_program(), "fetch", "http://127.0.0.1:1/"};
  own.folder = "/";
  own.tools_own = true;
  auto process = view.enclosure->start(std::move(own));
  REQUIRE(process);
  CHECK((*process)->wait(subject::Milliseconds(60'000))->status == 1);
}

TEST_CASE("the ids of a subject are mapped to the tool's own where they are none of its") {
  CHECK(catcher::maps("0 0 4294967295\n", 1234));
  CHECK(catcher::maps("         0       1000          1\n", 0));
  CHECK_FALSE(catcher::maps("1000 1000 1\n", 0));
  CHECK_FALSE(catcher::maps("1000 1000 1\n", 1001));
  CHECK(catcher::maps("0 0 1\n100000 100000 65536\n", 165535));
}
