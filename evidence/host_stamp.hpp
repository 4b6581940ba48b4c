// The machine that a figure was measured on. Read from files and system calls; no program is run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace telltale::evidence {

struct HostStamp {
  std::string cpu;             // model name, from /proc/cpuinfo
  unsigned cores = 0;          // that this process may run on (sched_getaffinity)
  std::uint64_t memory = 0;    // bytes
  std::string architecture;    // uname -m
  std::string os;              // PRETTY_NAME of /etc/os-release
  std::string kernel;          // uname -r
  std::string virtualization;  // "kvm", "firecracker", "docker in kvm", ...; "none seen" when
                               // nothing says so: a guest may hide what it runs on
  double load_start = 0;       // one-minute load average
  double load_end = 0;         // likewise, when the run ended

  // More runnable work than cores at the start or the end: timings of this run are suspect.
  [[nodiscard]] bool busy() const { return load_start > cores || load_end > cores; }
};

// Reads /proc, /sys, /etc/os-release and uname; a file that cannot be read leaves "unknown".
// load_start and load_end are both the load of now; set load_end again when the run ends.
[[nodiscard]] HostStamp read_host();
// Likewise with every file taken below `root`; cores and uname are still those of this machine.
[[nodiscard]] HostStamp read_host(const std::filesystem::path& root);
[[nodiscard]] double load_average();

// "docker", "podman", "lxc", "kubernetes", ... or "" when nothing says that this is a container.
[[nodiscard]] std::string container_seen(const std::filesystem::path& root);
// "kvm", "xen", "firecracker", "virtual machine" (only the processor flag says so) or "".
[[nodiscard]] std::string hypervisor_seen(const std::filesystem::path& root);

}  // namespace telltale::evidence
