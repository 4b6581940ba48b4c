#include "tools/tool.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <utility>

namespace telltale::tools {

namespace {

constexpr rlim_t kFewestDescriptors = 64;

// A descriptor that the caller has closed would be given to the next thing that is opened, and the
// subject would have that for its stdin. On stdout and stderr a write still fails, as it should.
void fill_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) (void)open("/dev/null", O_RDONLY);
}

// What no tool can work without; empty when it is there. Then what to do.
std::pair<std::string, std::string> missing_ground() {
  std::error_code error;
  const auto folder = std::filesystem::current_path(error);
  if (folder.empty())
    return {"the folder that it was started in is gone: " + error.message(),
            "cd to a folder that exists"};
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < kFewestDescriptors)
    return {"it may open " + std::to_string(limit.rlim_cur) + " files at once, which is too few",
            "allow more: ulimit -n 1024"};
  return {};
}

}  // namespace

int run_tool(const Tool& tool, int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  fill_standard_descriptors();
  if (const auto [what, fix] = missing_ground(); !what.empty()) {
    std::cerr << tool.name << ": " << what << "\n  fix: " << fix << '\n';
    return static_cast<int>(evidence::ExitStatus::not_evidence);
  }
  auto status = evidence::ExitStatus::not_evidence;
  try {
    status = tool.run({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::exception& error) {
    std::cerr << tool.name << ": internal error: " << error.what()
              << "\n  fix: please report it, with the command that was run\n";
  }
  return static_cast<int>(status);
}

}  // namespace telltale::tools
