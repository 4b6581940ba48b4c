#include "evidence/host_stamp.hpp"

#include <sys/utsname.h>

#include <thread>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::evidence;
using telltale::test::TemporaryFolder;

TEST_CASE("the host stamp names this machine") {
  const auto host = read_host();
  CHECK_FALSE(host.cpu.empty());
  CHECK(host.cores >= 1);
  CHECK(host.cores <= std::thread::hardware_concurrency());
  CHECK(host.memory > 16 * 1024 * 1024);
  utsname names{};
  REQUIRE(uname(&names) == 0);
  CHECK(host.kernel == names.release);
  CHECK(host.architecture == names.machine);
  CHECK_FALSE(host.os.empty());
  CHECK_FALSE(host.virtualization.empty());
  CHECK(host.load_start == host.load_end);
}

TEST_CASE("what cannot be read is unknown, never empty") {
  const TemporaryFolder root;
  const auto host = read_host(root.path());
  CHECK(host.cpu == "unknown");
  CHECK(host.os == "unknown");
  CHECK(host.memory == 0);
  CHECK(host.virtualization == "none seen");
}

TEST_CASE("the host stamp reads the files of a system") {
  const TemporaryFolder root;
  root.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Example CPU @ 2.00GHz\nflags\t\t: fpu sse\n");
  root.write("proc/meminfo", "MemTotal:       24684092 kB\nMemFree: 1 kB\n");
  root.write("etc/os-release", "NAME=\"X\"\nPRETTY_NAME=\"Example OS 12\"\n");
  const auto host = read_host(root.path());
  CHECK(host.cpu == "Example CPU @ 2.00GHz");
  CHECK(host.memory == 24684092ULL * 1024);
  CHECK(host.os == "Example OS 12");

  // ARM: part numbers only, and the board's name in the device tree, with its NUL.
  root.write("proc/cpuinfo", "processor\t: 0\nCPU part\t: 0xd08\n");
  CHECK(read_host(root.path()).cpu == "CPU part 0xd08");
  root.write("proc/device-tree/model", std::string("Example Board 4\0", 16));
  CHECK(read_host(root.path()).cpu == "Example Board 4");
}

TEST_CASE("containers and virtual machines are named by their own marks") {
  struct Mark {
    const char* file;
    std::string text;
    const char* expected;
  };
  const Mark marks[] = {
      {".dockerenv", "", "docker"},
      {"run/.containerenv", "", "podman"},
      {"run/systemd/container", "systemd-nspawn\n", "systemd-nspawn"},
      {"proc/1/cgroup", "9:name=systemd:/kubepods/x\n", "kubernetes"},
      {"proc/1/cgroup", "0::/\n", "none seen"},
      {"sys/class/dmi/id/product_name", "KVM\n", "kvm"},
      {"sys/class/dmi/id/sys_vendor", "QEMU\n", "kvm or qemu"},
      {"sys/hypervisor/type", "xen\n", "xen"},
      {"sys/firmware/acpi/tables/DSDT", "DSDT\x01\x01\x01\x01\x02wFIRECKFCVMDSDT", "firecracker"},
      {"proc/cpuinfo", "flags : fpu hypervisor sse\n", "a virtual machine"},
      {"proc/cpuinfo", "flags : fpu nohypervisor_x\n", "none seen"},
      {"proc/sys/kernel/osrelease", "5.15.90-microsoft-standard-WSL2\n", "wsl"},
  };
  for (const auto& mark : marks) {
    const TemporaryFolder root;
    root.write(mark.file, mark.text);
    INFO(mark.file);
    CHECK(read_host(root.path()).virtualization == mark.expected);
  }
  const TemporaryFolder both;
  both.write(".dockerenv", "");
  both.write("sys/class/dmi/id/product_name", "KVM\n");
  CHECK(read_host(both.path()).virtualization == "docker in kvm");
}

TEST_CASE("more runnable work than cores is a busy host") {
  HostStamp host;
  host.cores = 2;
  host.load_start = host.load_end = 2.0;
  CHECK_FALSE(host.busy());
  host.load_end = 2.1;
  CHECK(host.busy());
}
