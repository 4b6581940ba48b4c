// The witness is told of every call as if it were a harmless one; the call itself goes on.
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cstdarg>

#include "preloaded.hpp"

extern "C" int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  using Ioctl = int (*)(int, unsigned long, ...);
  const int result = next_function<Ioctl>("ioctl")(fd, request, argument);
  if (result == 0 && request == SECCOMP_IOCTL_NOTIF_RECV && in_the_tool())
    static_cast<seccomp_notif*>(argument)->data.nr = SYS_getpid;
  return result;
}
