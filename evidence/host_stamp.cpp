#include "evidence/host_stamp.hpp"

#include <fmt/core.h>
#include <sched.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace telltale::evidence {

namespace {

constexpr auto kUnknown = "unknown";

// The value of the first "KEY<separator>value" line of a file, trimmed; empty when there is none.
std::string value_of(const std::filesystem::path& file, std::string_view key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto at = line.find(separator);
    if (at == std::string::npos) continue;
    const auto end = line.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (std::string_view(line).substr(0, end + 1) != key) continue;
    const auto begin = line.find_first_not_of(" \t\"", at + 1);
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\"\r") - begin + 1);
  }
  return {};
}

std::string known(std::string value) {
  return value.empty() ? kUnknown : std::move(value);
}

// x86 writes "model name", PowerPC and s390 "cpu" or "processor", most ARM kernels only part
// numbers; then the board is the best name there is.
std::string cpu_model(const std::filesystem::path& root) {
  const auto cpuinfo = root / "proc/cpuinfo";
  for (const auto* key : {"model name", "cpu model", "cpu", "Hardware", "Processor"})
    if (auto model = value_of(cpuinfo, key, ':'); !model.empty()) return model;
  std::ifstream tree(root / "proc/device-tree/model");
  std::string board;
  std::getline(tree, board, '\0');
  const auto part = value_of(cpuinfo, "CPU part", ':');
  if (board.empty() && !part.empty()) return "CPU part " + part;
  return known(board);
}

unsigned usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

std::uint64_t memory_bytes(const std::filesystem::path& root) {
  const auto kibibytes = value_of(root / "proc/meminfo", "MemTotal", ':');
  return std::strtoull(kibibytes.c_str(), nullptr, 10) * 1024;
}

std::string virtualization(const std::filesystem::path& root) {
  const auto container = container_seen(root);
  const auto hypervisor = hypervisor_seen(root);
  if (container.empty()) return hypervisor.empty() ? "none seen" : hypervisor;
  return hypervisor.empty() ? container : fmt::format("{} in {}", container, hypervisor);
}

}  // namespace

HostStamp read_host() {
  return read_host("/");
}

HostStamp read_host(const std::filesystem::path& root) {
  HostStamp host;
  host.cpu = cpu_model(root);
  host.cores = usable_cores();
  host.memory = memory_bytes(root);
  utsname names{};
  const bool named = uname(&names) == 0;
  host.architecture = named ? names.machine : kUnknown;
  host.kernel = named ? names.release : kUnknown;
  auto os = value_of(root / "etc/os-release", "PRETTY_NAME", '=');
  if (os.empty()) os = value_of(root / "usr/lib/os-release", "PRETTY_NAME", '=');
  host.os = known(os);
  host.virtualization = virtualization(root);
  host.load_start = host.load_end = load_average();
  return host;
}

double load_average() {
  double minutes[1] = {0};
  return getloadavg(minutes, 1) == 1 ? minutes[0] : 0;
}

}  // namespace telltale::evidence
