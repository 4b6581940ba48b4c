#include "catcher/world/mounts.hpp"

#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "catcher/within_folder.hpp"
#include "catcher/world/foreign_root.hpp"
#include "catcher/world/run_folders.hpp"

namespace telltale::catcher {

namespace {

namespace fs = std::filesystem;

constexpr auto kOurs = "/run/.telltale";  // where the covers lie
constexpr std::size_t kSocketLimit = 512;

std::string whole_file(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A file of /etc that may be a link into /run (systemd-resolved): there it is made anew.
void cover_file(const fs::path& file, const std::string& text, MountSteps& steps) {
  std::error_code error;
  const auto real = fs::weakly_canonical(file, error);
  if (is_below(real, "/run")) {
    add_folders_to(real.parent_path(), steps);
    steps.push_back(file_step(real.string(), text));
    return;
  }
  const std::string ours = std::string(kOurs) + "/" + file.filename().string();
  steps.push_back(file_step(ours, text));
  steps.push_back(bind_step(ours, real.string()));
}

// Something will lie over it: it is opened before, and put back after.
void keep_folder(const fs::path& folder, MountPlan& plan, MountSteps& after) {
  subject::FileDescriptor number;
  plan.steps.push_back(hold_step(folder.string(), number));
  add_folders_to(folder, after);
  after.push_back(bind_step(held_path(number), folder.string()));
  plan.held.push_back(std::move(number));
}

bool is_socket(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

void cover_sockets(const std::vector<fs::path>& keep, MountSteps& steps) {
  const std::string nothing = std::string(kOurs) + "/nothing";
  // Writable by all, or the answer is EACCES where a daemon that is gone gives ECONNREFUSED.
  steps.push_back(file_step(nothing, "", 0666));
  std::size_t covered = 0;
  for (const auto& path : socket_paths(whole_file("/proc/net/unix"))) {
    const auto holds = [&](const fs::path& folder) { return is_below(path, folder); };
    if (holds("/run") || std::any_of(keep.begin(), keep.end(), holds) || !is_socket(path)) continue;
    if (++covered > kSocketLimit) return;
    steps.push_back(bind_step(nothing, path, false));
  }
}

MountStep read_only_step(const std::string& target) {
  MountStep step;
  step.kind = MountStep::Kind::read_only;
  step.target = target;
  step.required = false;
  return step;
}

void protect_proc(MountSteps& steps) {
  for (const auto* path : {"/proc/sys", "/proc/sysrq-trigger"}) {
    steps.push_back(bind_step(path, path, false));
    steps.push_back(read_only_step(path));
  }
}

template <class Part>
void move_to(std::vector<Part>& all, std::vector<Part>& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

// `hiding` is for the end.
Result<> copy_on_write(const WorldPlan& plan, MountPlan& made, MountSteps& hiding) {
  if (plan.covered.empty()) return {};
  auto overlays = plan_overlays(plan.covered, plan.layers);
  if (!overlays) return pass_on(std::move(overlays.error()));
  move_to(made.steps, overlays->steps);
  move_to(made.held, overlays->held);
  hiding = std::move(overlays->hiding);
  made.overlaid = std::move(overlays->folders);
  made.uncovered = std::move(overlays->uncovered);
  made.memory = overlays->memory;
  return {};
}

Result<> change_root(const WorldPlan& plan, MountPlan& made) {
  if (plan.root.empty()) return {};
  auto root = plan_foreign_root(plan.root, plan.layers);
  if (!root) return pass_on(std::move(root.error()));
  made.root = std::move(root->steps);
  move_to(made.held, root->held);
  made.overlaid = {std::move(root->folder)};
  return {};
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

Result<MountPlan> plan_mounts(const WorldPlan& plan) {
  MountPlan made;
  auto& steps = made.steps;
  if (!fs::exists("/etc/resolv.conf") && !fs::is_symlink("/etc/resolv.conf"))
    return fail(Fault::instrument,
                "the sealed world cannot be made: there is no /etc/resolv.conf to cover",
                "make an empty one, as root: touch /etc/resolv.conf");
  steps.push_back(mount_step("none", "/", "", MS_REC | MS_PRIVATE));
  steps.push_back(mount_step("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC));
  MountSteps kept;
  for (const auto& folder : plan.keep)
    if (is_below(folder, "/run") || !plan.covered.empty()) keep_folder(folder, made, kept);
  MountSteps hiding;
  if (auto covered = copy_on_write(plan, made, hiding); !covered)
    return pass_on(std::move(covered.error()));
  steps.push_back(mount_step("telltale", "/run", "tmpfs", MS_NOSUID | MS_NODEV,
                             "mode=755,size=64m,nr_inodes=64k"));
  for (auto& step : folders_of_run()) steps.push_back(std::move(step));
  move_to(steps, kept);
  steps.push_back(folder_step(kOurs));
  cover_file("/etc/resolv.conf", fmt::format("nameserver {}\n", kWorldAddress4), steps);
  if (fs::exists("/etc/nsswitch.conf"))
    cover_file("/etc/nsswitch.conf", world_nsswitch(whole_file("/etc/nsswitch.conf")), steps);
  cover_sockets(plan.keep, steps);
  move_to(steps, hiding);
  if (auto changed = change_root(plan, made); !changed) return pass_on(std::move(changed.error()));
  if (geteuid() == 0) protect_proc(made.protection);
  // What lies directly in / is in no overlay, and root could write it.
  if (geteuid() == 0 && !plan.covered.empty()) made.protection.push_back(read_only_step("/"));
  return made;
}

}  // namespace telltale::catcher
