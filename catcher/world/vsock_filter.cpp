#include "catcher/world/vsock_filter.hpp"

#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

namespace {

using FilterContext = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

bool write_rules(scmp_filter_ctx context, int file) {
  // x32 calls the kernel by its own numbers; where there is none it is refused, which is as well.
  seccomp_arch_add(context, SCMP_ARCH_X32);
  scmp_arg_cmp family{};  // SCMP_A0 would be a C99 literal
  family.op = SCMP_CMP_EQ;
  family.datum_a = AF_VSOCK;
  return seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW) == 0 &&
         seccomp_rule_add_array(context, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                &family) == 0 &&
         seccomp_export_bpf(context, file) == 0;
}

}  // namespace

Result<std::vector<sock_filter>> vsock_filter() {
  const subject::FileDescriptor file(memfd_create("filter", MFD_CLOEXEC));
  const FilterContext context(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  if (context && file.valid() && write_rules(context.get(), file.get())) {
    const off_t size = lseek(file.get(), 0, SEEK_END);
    std::vector<sock_filter> filter(static_cast<std::size_t>(size) / sizeof(sock_filter));
    if (pread(file.get(), filter.data(), static_cast<std::size_t>(size), 0) == size) return filter;
  }
  return fail(Fault::instrument, "the sealed world cannot be made: no seccomp filter",
              "report this with the version of libseccomp");
}

int install_filter(const std::vector<sock_filter>& filter) {
  sock_fprog program{};
  program.len = static_cast<unsigned short>(filter.size());
  program.filter = const_cast<sock_filter*>(filter.data());
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) return 0;
  return errno;
}

}  // namespace telltale::catcher
