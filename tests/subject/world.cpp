#include "world.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "subject/process_tree.hpp"

namespace telltale::test {

using namespace subject;

std::string actor() {
  return TELLTALE_ACTOR;
}

void write_file(const std::filesystem::path& file, const std::string& text, unsigned mode) {
  std::ofstream(file, std::ios::binary) << text;
  chmod(file.c_str(), mode);
}

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return condition();
}

bool alive(pid_t pid) {
  ProcessEntry entry;
  return read_process(pid, entry) && entry.state != 'Z' && entry.state != 'X';
}

namespace {

// Empty when the process has gone: a read of its file then fails, and a stream throws.
std::string command_line(pid_t pid) {
  try {
    return read_file("/proc/" + std::to_string(pid) + "/cmdline");
  } catch (const std::ios_base::failure&) {
    return {};
  }
}

}  // namespace

std::vector<pid_t> running_with(const std::string& text) {
  std::vector<pid_t> found;
  for (const auto& entry : read_processes()) {
    const auto line = command_line(entry.pid);
    if (entry.pid != getpid() && line.find(text) != std::string::npos) found.push_back(entry.pid);
  }
  return found;
}

Result<Ran> run_actor(Enclosure& enclosure, std::vector<std::string> acts,
                      const std::function<void(ProcessPlan&)>& change) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "output";
  ProcessPlan plan;
  plan.argv = std::move(acts);
  plan.argv.insert(plan.argv.begin(), actor());
  plan.folder = "/";
  plan.output = FileDescriptor(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (change) change(plan);
  auto process = enclosure.start(std::move(plan));
  if (!process) return pass_on(process.error());
  const auto exit = (*process)->wait(Milliseconds(60'000));
  if (!exit) return fail(Fault::subject, "the actor did not end");
  return Ran{*exit, read_file(file)};
}

}  // namespace telltale::test
