// The witness reads every system call as another one (getppid), which goes nowhere; the calls go on
// as they were.
#include <dlfcn.h>
#include <linux/ioctl.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cstdarg>

extern "C" int ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const auto next = reinterpret_cast<int (*)(int, unsigned long, void*)>(dlsym(RTLD_NEXT, "ioctl"));
  const int result = next(fd, request, argument);
  if (request == SECCOMP_IOCTL_NOTIF_RECV && result == 0)
    static_cast<seccomp_notif*>(argument)->data.nr = SYS_getppid;
  return result;
}
