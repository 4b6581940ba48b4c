// What says that this is a container or a virtual machine. Each mark is written by the manager
// itself and may be missing, so the absence of all of them proves nothing.
//
//   /.dockerenv                     Docker, at every start
//   /run/.containerenv              Podman and CRI-O
//   /run/systemd/container          systemd's own interface (systemd.io/CONTAINER_INTERFACE)
//   /proc/1/cgroup                  the path names the manager under cgroup v1
//   /sys/class/dmi/id               the virtual board's vendor and product
//   /sys/hypervisor/type            Xen
//   /sys/firmware/acpi/tables       Firecracker has no DMI; its tables carry the OEM id FIRECK
//   "hypervisor" of /proc/cpuinfo   CPUID 1, ECX bit 31: some hypervisor, which one is not said
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "evidence/host_stamp.hpp"

namespace telltale::evidence {

namespace {

std::string first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

bool is_there(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

bool holds(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

std::string manager_in_cgroup(const std::filesystem::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (holds(line, "kubepods")) return "kubernetes";
    if (holds(line, "/docker")) return "docker";
    if (holds(line, "/lxc")) return "lxc";
  }
  return {};
}

std::string dmi_names(const std::filesystem::path& folder) {
  std::string names;
  for (const auto* file : {"sys_vendor", "product_name", "board_vendor", "bios_vendor"})
    names += first_line(folder / file) + "\n";
  return names;
}

// Order matters: a KVM guest of a cloud names the cloud and QEMU.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kBoards{{
    {"Amazon EC2", "amazon ec2"},
    {"Google Compute Engine", "google compute engine"},
    {"KVM", "kvm"},
    {"QEMU", "kvm or qemu"},
    {"VMware", "vmware"},
    {"VirtualBox", "virtualbox"},
    {"innotek", "virtualbox"},
    {"Xen", "xen"},
    {"Parallels", "parallels"},
    {"Hyper-V", "hyper-v"},
}};

bool is_firecracker(const std::filesystem::path& root) {
  std::ifstream table(root / "sys/firmware/acpi/tables/DSDT", std::ios::binary);
  std::array<char, 16> header{};  // the OEM id is bytes 10 to 15 (ACPI 6.5, 5.2.6)
  table.read(header.data(), header.size());
  return table && std::string_view(&header[10], 6) == "FIRECK";
}

bool processor_flag(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("flags", 0) == 0) return holds(line + " ", " hypervisor ");
  return false;
}

}  // namespace

std::string container_seen(const std::filesystem::path& root) {
  if (is_there(root / ".dockerenv")) return "docker";
  if (is_there(root / "run/.containerenv")) return "podman";
  if (auto name = first_line(root / "run/systemd/container"); !name.empty()) return name;
  return manager_in_cgroup(root / "proc/1/cgroup");
}

std::string hypervisor_seen(const std::filesystem::path& root) {
  const auto names = dmi_names(root / "sys/class/dmi/id");
  for (const auto& [mark, name] : kBoards)
    if (holds(names, mark)) return std::string(name);
  if (holds(names, "Microsoft Corporation\nVirtual Machine")) return "hyper-v";
  if (holds(first_line(root / "proc/sys/kernel/osrelease"), "microsoft")) return "wsl";
  if (auto type = first_line(root / "sys/hypervisor/type"); !type.empty()) return type;
  if (is_firecracker(root)) return "firecracker";
  return processor_flag(root) ? "a virtual machine" : "";
}

}  // namespace telltale::evidence
