// What the preloaded libraries share. The environment of the tool is inherited by the commands that
// it watches and by its control callers: only the tool itself is to be broken.
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

#include <cstring>
#include <string_view>

template <class Function>
Function next_function(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

inline bool in_the_tool() {
  const std::string_view name = program_invocation_short_name;
  return name == "egress" || name == "telltale";
}

inline int socket_option(int fd, int level, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(fd, level, option, &value, &size) == 0 ? value : 0;
}
