#include "catcher/world/overlay.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>

#include "catcher/within_folder.hpp"

namespace telltale::catcher {

namespace {

namespace fs = std::filesystem;

constexpr auto kSource = "telltale";
constexpr std::size_t kUnitLimit = 512;

// Of /: the kernel's own, or made anew by mounts.cpp.
bool left_out(const std::string& name) {
  static const std::set<std::string> kNames = {"dev", "lost+found", "proc", "run", "sys"};
  return kNames.count(name) > 0;
}

bool is_kernel_type(const std::string& type) {
  static const std::set<std::string> kTypes = {
      "autofs", "binfmt_misc", "bpf",       "cgroup",    "cgroup2", "configfs", "debugfs",
      "devpts", "devtmpfs",    "efivarfs",  "fusectl",   "mqueue",  "nsfs",     "proc",
      "pstore", "rpc_pipefs",  "hugetlbfs", "selinuxfs", "sysfs",   "tracefs",  "securityfs"};
  return kTypes.count(type) > 0;
}

bool on_overlay(const fs::path& folder) {
  struct statfs status {};
  return statfs(folder.c_str(), &status) == 0 && status.f_type == OVERLAYFS_SUPER_MAGIC;
}

// What an ordinary user's tool must give the owner of a copy, who is the user itself, so that it
// may do no more there than in the original. The kernel is asked: in a user namespace the owner of
// the original reads as 65534 where it has no place, and that may be the user's own number.
mode_t mode_for(const fs::path& like, const struct stat& status) {
  if (geteuid() == 0) return status.st_mode & 07777;
  mode_t own = status.st_uid == geteuid() ? status.st_mode >> 6 & 7 : 7;
  for (const mode_t right : {mode_t{R_OK}, mode_t{W_OK}, mode_t{X_OK}})
    if (faccessat(AT_FDCWD, like.c_str(), static_cast<int>(right), AT_EACCESS) != 0) own &= ~right;
  return (status.st_mode & 07077) | own << 6;
}

class OverlayPlanner {
 public:
  explicit OverlayPlanner(fs::path layers) : layers_(std::move(layers)) {
    disk_ = hold(layers_);
    plan_.steps.push_back(
        mount_step("telltale-layers", layers_.string(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=700"));
    memory_ = hold(layers_);
    plan_.memory = memory_.get();
  }

  Result<> add(const std::vector<OverlayUnit>& units) {
    std::vector<std::string> lowers;  // all of them are opened before one lies over another
    for (const auto& unit : units) {
      auto number = hold(unit.folder);
      lowers.push_back(held_path(number));
      plan_.held.push_back(std::move(number));
    }
    for (std::size_t i = 0; i < units.size(); ++i)
      if (auto done = cover(units[i], lowers[i]); !done) return done;
    return {};
  }

  OverlayPlan take() {
    plan_.held.push_back(std::move(disk_));
    plan_.held.push_back(std::move(memory_));
    plan_.hiding.push_back(mount_step("telltale-nothing", layers_.string(), "tmpfs",
                                      MS_RDONLY | MS_NOSUID | MS_NODEV, "mode=000,size=4k"));
    return std::move(plan_);
  }

 private:
  subject::FileDescriptor hold(const fs::path& target) {
    subject::FileDescriptor number;
    plan_.steps.push_back(hold_step(target.string(), number));
    return number;
  }

  Result<> cover(const OverlayUnit& unit, const std::string& lower) {
    if (unit.nested) {
      plan_.steps.push_back(mount_step(lower, unit.folder.string(), "", MS_BIND));
      plan_.steps.back().required = false;
    }
    if (!unit.overlaid) {
      plan_.uncovered.push_back(unit.folder.string());
      return {};
    }
    const std::string name = std::to_string(plan_.folders.size());
    OverlaidFolder folder{unit.folder, unit.folder, {}, is_below(layers_, unit.folder), {}};
    folder.in_memory = folder.in_memory || disk_unfit_;
    const auto& number = folder.in_memory ? memory_ : disk_;
    if (folder.in_memory)
      make_in_memory(held_path(memory_) + "/" + name, unit.folder);
    else if (auto made = make_layers(layers_ / name, unit.folder); !made)
      return made;
    folder.upper = (folder.in_memory ? fs::path() : layers_) / name / "upper";
    plan_.steps.push_back(
        overlay_step(lower, held_path(number) + "/" + name, unit.folder.string()));
    plan_.steps.back().required = unit.required;
    plan_.folders.push_back(std::move(folder));
    return {};
  }

  void make_in_memory(const std::string& layers, const fs::path& like) {
    struct stat status {};
    if (stat(like.c_str(), &status) != 0) return;
    plan_.steps.push_back(folder_step(layers, 0700));
    plan_.steps.push_back(folder_step(layers + "/work", 0700));
    auto upper = folder_step(layers + "/upper", mode_for(like, status));
    upper.owner = status.st_uid;
    upper.group = status.st_gid;
    plan_.steps.push_back(std::move(upper));
  }

  fs::path layers_;
  bool disk_unfit_ = on_overlay(layers_);
  OverlayPlan plan_;
  subject::FileDescriptor disk_;
  subject::FileDescriptor memory_;
};

std::vector<fs::path> starting_points(const std::vector<fs::path>& covered) {
  std::vector<fs::path> points = {"/tmp", "/var/tmp"};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/", error))
    if (!entry.is_symlink(error) && !left_out(entry.path().filename().string()))
      points.push_back(entry.path());
  points.insert(points.end(), covered.begin(), covered.end());
  return points;
}

}  // namespace

MountStep overlay_step(const std::string& lower, const std::string& layers,
                       const std::string& target) {
  return mount_step(kSource, target, "overlay", MS_NOSUID | MS_NODEV,
                    fmt::format("lowerdir={},upperdir={}/upper,workdir={}/work,userxattr", lower,
                                layers, layers));
}

std::string overlay_remedy() {
  return "a copy-on-write view needs Linux 5.11 with overlayfs, TMPDIR on a file system that it "
         "takes (ext4, xfs, btrfs, tmpfs; not another overlay), and, unless root runs the tool, no "
         "other mount below that folder: unmount it, or run the tool as root";
}

Result<> make_layers(const fs::path& layers, const fs::path& like) {
  struct stat status {};
  const auto upper = layers / "upper";
  if (stat(like.c_str(), &status) == 0 && mkdir(layers.c_str(), 0700) == 0 &&
      mkdir(upper.c_str(), 0700) == 0 && mkdir((layers / "work").c_str(), 0700) == 0) {
    [[maybe_unused]] const int given = lchown(upper.c_str(), status.st_uid, status.st_gid);
    if (chmod(upper.c_str(), mode_for(like, status)) == 0) return {};
  }
  return fail(
      Fault::instrument,
      fmt::format("no folder for what is written in {}: {}", like.string(), std::strerror(errno)),
      "free the disk, or set TMPDIR to a folder that can be written");
}

std::vector<OverlayUnit> overlay_units(const std::vector<fs::path>& covered,
                                       const std::vector<MountedAt>& mounts) {
  std::map<fs::path, OverlayUnit> units;
  std::error_code error;
  for (const auto& point : starting_points(covered)) {
    const auto real = fs::canonical(point, error);
    if (error || !fs::is_directory(real, error) || real == "/") continue;
    units[real].folder = real;
  }
  const auto tops = units;
  for (const auto& mount : mounts) {
    const auto inside = [&](const auto& top) { return is_below(mount.point, top.first); };
    if (units.size() >= kUnitLimit || std::none_of(tops.begin(), tops.end(), inside) ||
        access(mount.point.c_str(), F_OK) != 0)
      continue;
    auto& unit = units[mount.point];
    unit.folder = mount.point;
    unit.overlaid = !is_kernel_type(mount.type) && fs::is_directory(mount.point, error);
  }
  std::vector<OverlayUnit> sorted;  // a map of paths has parents first
  for (auto& [folder, unit] : units) {
    unit.nested = std::any_of(sorted.begin(), sorted.end(), [&folder = folder](const auto& above) {
      return is_below(folder, above.folder);
    });
    sorted.push_back(unit);
  }
  for (const auto& folder : covered)
    for (auto& unit : sorted)
      if (unit.folder == fs::canonical(folder, error)) unit.required = true;
  return sorted;
}

std::vector<OverlaidFolder> overlaid(std::vector<OverlaidFolder> planned,
                                     const std::vector<MountedAt>& mounts) {
  std::erase_if(planned, [&](const auto& folder) {
    return std::none_of(mounts.begin(), mounts.end(), [&](const auto& mount) {
      return mount.type == "overlay" && mount.source == kSource && folder.folder == mount.point;
    });
  });
  return planned;
}

Result<OverlayPlan> plan_overlays(const std::vector<fs::path>& covered, const fs::path& layers) {
  OverlayPlanner planner(layers);
  const auto units = overlay_units(covered, read_mount_table("/proc/self/mountinfo"));
  if (auto added = planner.add(units); !added) return pass_on(std::move(added.error()));
  return planner.take();
}

}  // namespace telltale::catcher
