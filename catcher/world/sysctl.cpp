#include "catcher/world/sysctl.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

bool try_sysctl(const std::string& name, const std::string& value) {
  const subject::FileDescriptor file(
      open(("/proc/sys/" + name).c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
  return file.valid() && write(file.get(), value.data(), value.size()) > 0;
}

Result<> set_sysctl(const std::string& name, const std::string& value) {
  if (try_sysctl(name, value)) return {};
  const int error = errno;
  return fail(Fault::instrument,
              fmt::format("the sealed world cannot be made: /proc/sys/{} does not take {}: {}",
                          name, value, strerror(error)),
              error == EROFS ? "the container mounts /proc/sys read-only: start it with "
                               "--security-opt systempaths=unconfined, or --privileged"
                             : "a kernel from 5.10 on is needed, with IPv4 and IPv6");
}

}  // namespace telltale::catcher
