// What is left when the tool is killed with SIGKILL: nothing.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "inside.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::test;

namespace {

// What the killed tool says of itself before: numbers of its namespaces, and processes inside.
struct Traces {
  ino_t subject_network = 0, world_network = 0, processes = 0, mounts = 0;
  pid_t init = 0, subject = 0;
};

ino_t number_of(int fd) {
  struct stat status {};
  fstat(fd, &status);
  return status.st_ino;
}

[[noreturn]] void be_the_tool(int report) {
  auto enclosure = catcher::make_sealed_enclosure({});
  if (!enclosure) _exit(1);
  auto& world = (*enclosure)->world();
  subject::ProcessPlan plan;
  // A daemon that no session, process group or parent ties to its starter.
  plan.argv = {"python3", "-c",
               "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n"
               "    os.write(1, b'x')\n  time.sleep(600)\ntime.sleep(600)"};
  plan.environment = {{"PATH", "/usr/bin:/bin"}};
  plan.folder = "/";
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) _exit(1);
  plan.output = subject::FileDescriptor(ends[1]);
  auto process = (*enclosure)->start(std::move(plan));
  char byte = 0;
  if (!process || read(ends[0], &byte, 1) != 1) _exit(1);
  const Traces traces{number_of(world.subject_network()),
                      number_of(world.world_network()),
                      number_of(world.processes()),
                      number_of(world.mounts()),
                      world.init(),
                      (*process)->pid()};
  if (write(report, &traces, sizeof traces) != sizeof traces) _exit(1);
  for (;;) pause();
}

// Processes, dead ones not reaped yet included, that are in one of those namespaces.
int still_in(const Traces& traces) {
  int count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error))
    for (const auto& [name, number] :
         {std::pair{"ns/net", traces.subject_network}, std::pair{"ns/net", traces.world_network},
          std::pair{"ns/pid", traces.processes}, std::pair{"ns/mnt", traces.mounts}}) {
      struct stat status {};
      if (stat((entry.path() / name).c_str(), &status) == 0 && status.st_ino == number) ++count;
    }
  return count;
}

std::string text_of(const char* path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("SIGKILL of the tool leaves no process, namespace, mount or interface") {
  if (!have_world()) return;
  const auto mounts = text_of("/proc/self/mountinfo");
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const pid_t tool = fork();
  if (tool == 0) be_the_tool(ends[1]);
  close(ends[1]);
  Traces traces;
  REQUIRE(read(ends[0], &traces, sizeof traces) == sizeof traces);
  CHECK(still_in(traces) >= 8);
  kill(tool, SIGKILL);
  const auto gone = [&] {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {  // this program is their subreaper now
    }
    return still_in(traces) == 0 && kill(traces.init, 0) != 0 && kill(traces.subject, 0) != 0;
  };
  CHECK(eventually(gone));
  CHECK(text_of("/proc/self/mountinfo") == mounts);
  CHECK(text_of("/proc/net/dev").find(catcher::kWorldLink) == std::string::npos);
  close(ends[0]);
}
