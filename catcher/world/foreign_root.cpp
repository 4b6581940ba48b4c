#include "catcher/world/foreign_root.hpp"

#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "catcher/within_folder.hpp"
#include "catcher/world/world.hpp"

namespace telltale::catcher {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::array<const char*, 2>, 4> kDeviceLinks = {{{"/proc/self/fd", "/dev/fd"},
                                                                     {"fd/0", "/dev/stdin"},
                                                                     {"fd/1", "/dev/stdout"},
                                                                     {"fd/2", "/dev/stderr"}}};

std::string own_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

// Of the machine's view, for the new root. What is bound must be taken along: once the old root is
// gone, nothing of it can be bound any more, and a user namespace may mount no new /proc.
constexpr std::array kTaken = {"/proc",        "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                               "/dev/urandom", "/dev/tty",  "/dev/ptmx", "/dev/pts",  "/sys"};

bool is_folder(const char* path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

class ForeignRootPlanner {
 public:
  ForeignRootPlanner(const fs::path& root, const fs::path& layers)
      : layers_(layers), mount_point_(layers / "mount") {
    plan_.folder = {"/", root, layers / "upper", false, {}};
    // Folders that are made where the image has none.
    plan_.folder.own_files = {{"proc", ""}, {"dev", ""}, {"sys", ""}, {"etc", ""}};
    lower_ = hold(root.string());
  }

  ForeignRootPlan take() {
    auto& steps = plan_.steps;
    steps.push_back(overlay_step(lower_, hold(layers_.string()), mount_point_.string()));
    std::vector<MountStep> placing;
    for (const auto* taken : kTaken) take_along(taken, placing);
    MountStep pivot;
    pivot.kind = MountStep::Kind::pivot;
    pivot.target = mount_point_.string();
    steps.push_back(std::move(pivot));
    steps.push_back(folder_step("/dev"));
    steps.push_back(mount_step("telltale", "/dev", "tmpfs", MS_NOSUID, "mode=755,size=64k"));
    steps.insert(steps.end(), placing.begin(), placing.end());
    make_rest_of_devices();
    make_names();
    return std::move(plan_);
  }

 private:
  std::string hold(const std::string& target) {
    subject::FileDescriptor number;
    plan_.steps.push_back(hold_step(target, number));
    plan_.held.push_back(std::move(number));
    return held_path(plan_.held.back());
  }

  void take_along(const char* path, MountSteps& placing) {
    if (access(path, F_OK) != 0) return;
    subject::FileDescriptor number;
    plan_.steps.push_back(tree_step(path, number));
    placing.push_back(is_folder(path) ? folder_step(path) : file_step(path, ""));
    placing.push_back(put_step(number, path));
    plan_.held.push_back(std::move(number));
  }

  void make_rest_of_devices() {
    for (const auto& [source, target] : kDeviceLinks) {
      MountStep link;
      link.kind = MountStep::Kind::link;
      link.source = source;
      link.target = target;
      plan_.steps.push_back(std::move(link));
    }
    plan_.steps.push_back(folder_step("/dev/shm", 01777));
    plan_.steps.push_back(
        mount_step("telltale", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"));
  }

  void make_names() {
    plan_.steps.push_back(folder_step("/etc"));
    make_own("etc/resolv.conf", fmt::format("nameserver {}\n", kWorldAddress4));
    make_own("etc/hosts",
             fmt::format("127.0.0.1\tlocalhost\n::1\tlocalhost\n127.0.1.1\t{}\n", own_name()));
  }

  void make_own(const std::string& name, std::string text) {
    auto step = file_step("/" + name, text);
    step.kind = MountStep::Kind::anew;
    plan_.steps.push_back(std::move(step));
    plan_.folder.own_files[name] = std::move(text);
  }

  fs::path layers_;
  fs::path mount_point_;
  ForeignRootPlan plan_;
  std::string lower_;
};

}  // namespace

Result<ForeignRootPlan> plan_foreign_root(const fs::path& root, const fs::path& layers) {
  std::error_code error;
  const auto real = fs::canonical(root, error);
  if (error || !fs::is_directory(real, error))
    return fail(Fault::input, fmt::format("{} is no folder", root.string()),
                "name the folder that the program shall have for its root");
  if (is_below(layers, real))
    return fail(Fault::input, fmt::format("{} holds the tool's own temporary files", root.string()),
                "name a folder that is not above TMPDIR");
  const auto own = layers / "root";
  if (auto made = make_layers(own, real); !made) return pass_on(std::move(made.error()));
  if (mkdir((own / "mount").c_str(), 0700) != 0)
    return fail(Fault::instrument, "no folder can be made in " + own.string(), "free the disk");
  return ForeignRootPlanner(real, own).take();
}

}  // namespace telltale::catcher
