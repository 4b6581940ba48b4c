#include "catcher/world/mounts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "catcher/world/run_folders.hpp"
#include "catcher/world/world.hpp"

namespace telltale::catcher {

namespace {

namespace fs = std::filesystem;
using Kind = MountStep::Kind;

constexpr auto kOurs = "/run/.telltale";  // where the covers lie
constexpr std::size_t kSocketLimit = 512;

std::string whole_file(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

MountStep mount_step(std::string source, std::string target, std::string type, unsigned long flags,
                     std::string data = {}) {
  MountStep step;
  step.source = std::move(source);
  step.target = std::move(target);
  step.type = std::move(type);
  step.flags = flags;
  step.data = std::move(data);
  return step;
}

MountStep bind_step(std::string source, std::string target, bool required = true) {
  auto step = mount_step(std::move(source), std::move(target), "", MS_BIND | MS_REC);
  step.required = required;
  return step;
}

MountStep file_step(std::string target, std::string text, mode_t mode = 0644) {
  MountStep step;
  step.kind = Kind::file;
  step.target = std::move(target);
  step.data = std::move(text);
  step.mode = mode;
  return step;
}

MountStep folder_step(std::string target, mode_t mode = 0755) {
  MountStep step;
  step.kind = Kind::folder;
  step.target = std::move(target);
  step.mode = mode;
  return step;
}

void add_folders_to(const fs::path& folder, std::vector<MountStep>& steps) {
  fs::path walked;
  for (const auto& part : folder) {
    walked /= part;
    if (walked != "/") steps.push_back(folder_step(walked.string()));
  }
}

bool below(const fs::path& path, const fs::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// A file of /etc that may be a link into /run (systemd-resolved): there it is made anew.
void cover_file(const fs::path& file, const std::string& text, std::vector<MountStep>& steps) {
  std::error_code error;
  const auto real = fs::weakly_canonical(file, error);
  if (below(real, "/run")) {
    add_folders_to(real.parent_path(), steps);
    steps.push_back(file_step(real.string(), text));
    return;
  }
  const std::string ours = std::string(kOurs) + "/" + file.filename().string();
  steps.push_back(file_step(ours, text));
  steps.push_back(bind_step(ours, real.string()));
}

// Two steps: one before the tmpfs lies over /run, one after. It is opened by process 1 (a mount of
// the tool's own namespace cannot be bound in another); the number is reserved by the tool.
void keep_folder(const fs::path& folder, MountPlan& plan, std::vector<MountStep>& after) {
  if (!below(folder, "/run")) return;
  subject::FileDescriptor number(open("/", O_PATH | O_CLOEXEC));
  MountStep step;
  step.kind = Kind::hold;
  step.target = folder.string();
  step.descriptor = number.get();
  plan.steps.push_back(std::move(step));
  add_folders_to(folder, after);
  after.push_back(bind_step(fmt::format("/proc/self/fd/{}", number.get()), folder.string()));
  plan.held.push_back(std::move(number));
}

bool is_socket(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

void cover_sockets(const std::vector<fs::path>& keep, std::vector<MountStep>& steps) {
  const std::string nothing = std::string(kOurs) + "/nothing";
  // Writable by all, or the answer is EACCES where a daemon that is gone gives ECONNREFUSED.
  steps.push_back(file_step(nothing, "", 0666));
  std::size_t covered = 0;
  for (const auto& path : socket_paths(whole_file("/proc/net/unix"))) {
    const auto holds = [&](const fs::path& folder) { return below(path, folder); };
    if (holds("/run") || std::any_of(keep.begin(), keep.end(), holds) || !is_socket(path)) continue;
    if (++covered > kSocketLimit) return;
    steps.push_back(bind_step(nothing, path, false));
  }
}

void protect_proc(std::vector<MountStep>& steps) {
  for (const auto* path : {"/proc/sys", "/proc/sysrq-trigger"}) {
    steps.push_back(bind_step(path, path, false));
    MountStep step;
    step.kind = Kind::read_only;
    step.target = path;
    step.required = false;
    steps.push_back(std::move(step));
  }
}

bool make_folder(const MountStep& step) {
  if (mkdir(step.target.c_str(), step.mode) != 0) return errno == EEXIST;
  // An ordinary user's tool cannot give a folder away; the mode alone is then right.
  [[maybe_unused]] const int given = lchown(step.target.c_str(), step.owner, step.group);
  return chmod(step.target.c_str(), step.mode) == 0;
}

bool make_file(const MountStep& step) {
  const int file =
      open(step.target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  const bool written =
      write(file, step.data.data(), step.data.size()) == static_cast<ssize_t>(step.data.size());
  const bool moded = fchmod(file, step.mode) == 0;
  close(file);
  return written && moded;
}

bool hold(const MountStep& step) {
  const int opened = open(step.target.c_str(), O_PATH | O_CLOEXEC);
  const bool held = opened >= 0 && dup3(opened, step.descriptor, O_CLOEXEC) >= 0;
  if (opened >= 0) close(opened);
  return held;
}

bool run_step(const MountStep& step) {
  const char* target = step.target.c_str();
  switch (step.kind) {
    case Kind::mount:
      return mount(step.source.c_str(), target, step.type.c_str(), step.flags, step.data.c_str()) ==
             0;
    case Kind::folder:
      return make_folder(step);
    case Kind::link:
      return symlink(step.source.c_str(), target) == 0 || errno == EEXIST;
    case Kind::file:
      return make_file(step);
    case Kind::read_only:
      return mount("", target, "", MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
    case Kind::hold:
      return hold(step);
  }
  return false;
}

}  // namespace

std::string world_nsswitch(const std::string& machine) {
  static const std::regex kHosts("(^|\n)[ \t]*hosts[ \t]*:[^\n]*");
  const std::string ours = "hosts: files dns";
  if (!std::regex_search(machine, kHosts)) return machine + "\n" + ours + "\n";
  return std::regex_replace(machine, kHosts, "$1" + ours);
}

// Num RefCount Protocol Flags Type St Inode Path, the last only where there is one.
std::vector<std::string> socket_paths(const std::string& proc_net_unix) {
  std::set<std::string> paths;
  std::istringstream lines(proc_net_unix);
  for (std::string line; std::getline(lines, line);)
    if (const auto path = line.find(" /"); path != std::string::npos)
      paths.insert(line.substr(path + 1));
  return {paths.begin(), paths.end()};
}

Result<MountPlan> plan_mounts(const std::vector<fs::path>& keep) {
  MountPlan plan;
  auto& steps = plan.steps;
  if (!fs::exists("/etc/resolv.conf") && !fs::is_symlink("/etc/resolv.conf"))
    return fail(Fault::instrument,
                "the sealed world cannot be made: there is no /etc/resolv.conf to cover",
                "make an empty one, as root: touch /etc/resolv.conf");
  steps.push_back(mount_step("none", "/", "", MS_REC | MS_PRIVATE));
  steps.push_back(mount_step("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC));
  std::vector<MountStep> kept;
  for (const auto& folder : keep) keep_folder(folder, plan, kept);
  steps.push_back(mount_step("telltale", "/run", "tmpfs", MS_NOSUID | MS_NODEV,
                             "mode=755,size=64m,nr_inodes=64k"));
  for (auto& step : folders_of_run()) steps.push_back(std::move(step));
  steps.insert(steps.end(), kept.begin(), kept.end());
  steps.push_back(folder_step(kOurs));
  cover_file("/etc/resolv.conf", fmt::format("nameserver {}\n", kWorldAddress4), steps);
  if (fs::exists("/etc/nsswitch.conf"))
    cover_file("/etc/nsswitch.conf", world_nsswitch(whole_file("/etc/nsswitch.conf")), steps);
  cover_sockets(keep, steps);
  if (geteuid() == 0) protect_proc(plan.protection);
  return plan;
}

int run_mounts(const std::vector<MountStep>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!run_step(steps[i]) && steps[i].required) return static_cast<int>(i);
  return -1;
}

std::string describe(const MountStep& step) {
  switch (step.kind) {
    case Kind::mount:
      return fmt::format("mounting {} on {}", step.type.empty() ? step.source : step.type,
                         step.target);
    case Kind::read_only:
      return "making read-only " + step.target;
    case Kind::hold:
      return "opening " + step.target;
    default:
      return "making " + step.target;
  }
}

}  // namespace telltale::catcher
