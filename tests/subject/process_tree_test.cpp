#include "subject/process_tree.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "subject/enclosure.hpp"
#include "support/catch.hpp"
#include "world.hpp"

using namespace telltale::subject;
namespace test = telltale::test;

namespace {

std::unique_ptr<Process> start(Enclosure& enclosure, std::vector<std::string> acts) {
  ProcessPlan plan;
  plan.argv = std::move(acts);
  plan.argv.insert(plan.argv.begin(), test::actor());
  auto process = enclosure.start(std::move(plan));
  REQUIRE(process);
  return std::move(*process);
}

// The tree, once it has that many living members.
std::vector<ProcessEntry> grown(ProcessTree& tree, std::size_t count) {
  std::vector<ProcessEntry> seen;
  REQUIRE(test::eventually([&] { return (seen = tree.look()).size() == count; }));
  return seen;
}

void stop_all(ProcessTree& tree) {
  CHECK(test::eventually([&] {
    const auto left = tree.look();
    for (const auto& entry : left) signal_process(entry, SIGKILL);
    return left.empty();
  }));
}

}  // namespace

TEST_CASE("this process is read as /proc shows it") {
  ProcessEntry self;
  REQUIRE(read_process(getpid(), self));
  CHECK(self.parent == getppid());
  CHECK(self.session == getsid(0));
  CHECK(self.start_time > 0);
  CHECK(executable_of(getpid()).ends_with("/subject_test"));
}

TEST_CASE("a process that is gone is not read") {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  ProcessEntry entry;
  CHECK_FALSE(read_process(child, entry));
}

TEST_CASE("a tree holds the main process first, then its children") {
  const auto enclosure = make_plain_enclosure();
  const auto process = start(*enclosure, {"fork", "fork", "pause"});
  ProcessTree tree(process->pid(), false);
  const auto seen = grown(tree, 3);
  CHECK(seen.front().pid == process->pid());
  CHECK(seen[1].parent == process->pid());
  stop_all(tree);
}

TEST_CASE("a detached grandchild is in the tree, before and after its parents have ended") {
  const auto enclosure = make_plain_enclosure();
  const auto process = start(*enclosure, {"detach", "pause"});
  ProcessTree tree(process->pid(), false);
  // The first child of a double fork may still be there, in the place of the second.
  REQUIRE(test::eventually([&] {
    const auto seen = tree.look();
    return seen.size() == 2 && seen[1].session != seen[1].pid && seen[1].session != seen[0].pid;
  }));
  const auto seen = tree.look();
  process->signal(SIGKILL);
  REQUIRE(process->wait(Milliseconds(60'000)));
  CHECK(grown(tree, 1).front().pid == seen[1].pid);
  stop_all(tree);
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);  // reaped too
}

TEST_CASE("a grandchild that was detached before the first look is found") {
  const auto enclosure = make_plain_enclosure();
  const auto process = start(*enclosure, {"detach", "exit:0"});
  ProcessTree tree(process->pid(), false);
  REQUIRE(process->wait(Milliseconds(60'000)));
  (void)grown(tree, 1);
  stop_all(tree);
}

TEST_CASE("the tool's other children are not in the tree") {
  const auto enclosure = make_plain_enclosure();
  const auto other = start(*enclosure, {"pause"});
  const auto process = start(*enclosure, {"pause"});
  const pid_t own = fork();
  if (own == 0)
    for (;;) pause();
  ProcessTree tree(process->pid(), false);
  const auto seen = tree.look();
  CHECK(seen.size() == 1);
  CHECK(seen.front().pid == process->pid());
  kill(own, SIGKILL);
  waitpid(own, nullptr, 0);
}

TEST_CASE("a signal reaches only the process that was seen") {
  const auto enclosure = make_plain_enclosure();
  const auto process = start(*enclosure, {"pause"});
  ProcessEntry entry;
  REQUIRE(read_process(process->pid(), entry));
  auto earlier = entry;
  --earlier.start_time;  // as if the pid had been another's
  signal_process(earlier, SIGKILL);
  CHECK_FALSE(process->wait(Milliseconds(50)));
  signal_process(entry, SIGKILL);
  CHECK(process->wait(Milliseconds(60'000)));
}
