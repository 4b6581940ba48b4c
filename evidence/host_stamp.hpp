// The machine that a figure was measured on.
#pragma once

#include <cstdint>
#include <string>

namespace telltale::evidence {

struct HostStamp {
  std::string cpu;             // model name, from /proc/cpuinfo
  unsigned cores = 0;          // that this process may run on (sched_getaffinity)
  std::uint64_t memory = 0;    // bytes
  std::string architecture;    // uname -m
  std::string os;              // PRETTY_NAME of /etc/os-release
  std::string kernel;          // uname -r
  std::string virtualization;  // "kvm", "firecracker", "docker", ...; "none seen" when nothing says so
  double load_start = 0;       // one-minute load average
  double load_end = 0;         // likewise, when the run ended

  // More runnable work than cores at the start or the end: timings of this run are suspect.
  [[nodiscard]] bool busy() const { return load_start > cores || load_end > cores; }
};

// Reads /proc, /etc/os-release and uname; a file that cannot be read leaves "unknown".
[[nodiscard]] HostStamp read_host();
[[nodiscard]] double load_average();

}  // namespace telltale::evidence
