// What making and ending a sealed world costs, and where the time goes; a start in it, and a socket
// made inside, against the plain enclosure's.
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "bench.hpp"
#include "catcher/world/in_namespace.hpp"
#include "catcher/world/init.hpp"
#include "catcher/world/mounts.hpp"
#include "catcher/world/network.hpp"
#include "catcher/world/redirected_sockets.hpp"
#include "catcher/world/redirection.hpp"
#include "catcher/world/sealed_enclosure.hpp"
#include "catcher/world/user_namespace.hpp"

namespace {

using namespace telltale;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 31;  // the first is thrown away
// The kernel takes a network namespace apart on its own time, and making another waits for that: a
// run makes one world, so each round starts when the last one's is gone.
constexpr std::chrono::milliseconds kPause{250};

double milliseconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().text());
  std::exit(3);
}

double median_of(const std::function<void()>& work) {
  std::vector<double> values;
  for (int round = 0; round < kRounds; ++round) {
    std::this_thread::sleep_for(kPause);
    const double value = milliseconds_of(work);
    if (round > 0) values.push_back(value);
  }
  return bench::median(values);
}

// The parts, one after another in the order in which World::make makes them.
void print_split() {
  std::vector<double> plan, network, redirecting, init, end;
  for (int round = 0; round < kRounds; ++round) {
    std::this_thread::sleep_for(kPause);
    catcher::MountPlan mounts;
    catcher::Network made;
    catcher::RedirectedSockets sockets;
    catcher::Init process;
    plan.push_back(milliseconds_of([&] { mounts = need(catcher::plan_mounts({})); }));
    const auto joined = catcher::on_thread([&]() -> Result<> {
      network.push_back(milliseconds_of([&] { made = need(catcher::make_network()); }));
      redirecting.push_back(milliseconds_of([&] {
        catcher::RedirectedPorts ports;
        sockets = need(catcher::open_redirected_sockets(ports));
        if (!catcher::redirect(ports)) std::exit(3);
      }));
      return {};
    });
    if (!joined) std::exit(3);
    init.push_back(milliseconds_of([&] {
      process = need(catcher::start_init(made.subject.get(), mounts, catcher::WorldPlan{}));
    }));
    end.push_back(milliseconds_of([&] { catcher::end_init(process); }));
  }
  fmt::print(
      "split, medians of {} in ms: mounts planned {:.2f}, networks {:.2f}, redirection {:.2f}, "
      "process 1 with its mounts {:.2f}, end of process 1 {:.2f}\n",
      kRounds, bench::median(plan), bench::median(network), bench::median(redirecting),
      bench::median(init), bench::median(end));
}

void start_true(subject::Enclosure& enclosure) {
  subject::ProcessPlan plan;
  plan.argv = {"/bin/true"};
  plan.folder = "/";
  if (!need(enclosure.start(std::move(plan)))->wait(subject::Milliseconds(10'000))) std::exit(3);
}

}  // namespace

int main() {
  bench::print_host();
  if (const auto gained = catcher::gain_namespaces(); !gained) {
    fmt::print(stderr, "{}\n", gained.error().text());
    return 3;
  }
  print_split();
  std::vector<double> made, ended;
  const double whole = median_of([&] {
    std::unique_ptr<catcher::SealedEnclosure> world;
    made.push_back(milliseconds_of([&] { world = need(catcher::make_sealed_enclosure({})); }));
    ended.push_back(milliseconds_of([&] { world.reset(); }));
  });
  fmt::print("sealed world, ms: set-up {:.2f}, tear-down {:.2f}\n", bench::median(made),
             bench::median(ended));
  const bool held = bench::judge("sealed world, made and ended, ms", whole, 15,
                                 fmt::format("median of {}", kRounds - 1));
  auto sealed = need(catcher::make_sealed_enclosure({}));
  const auto plain = subject::make_plain_enclosure();
  fmt::print("start to end of /bin/true, ms: sealed {:.2f}, plain {:.2f}\n",
             median_of([&] { start_true(*sealed); }), median_of([&] { start_true(*plain); }));
  fmt::print("a socket made inside, ms: {:.3f}\n",
             median_of([&] { need(sealed->socket(AF_INET, SOCK_STREAM)); }));
  return held ? 0 : 1;
}
