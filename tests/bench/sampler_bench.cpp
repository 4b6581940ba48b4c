// One pass of the sampler's socket dumps over 1,000 sockets against `ss -tan`, and what the whole
// sampler takes of a core at its 10 ms.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "bench.hpp"
#include "catcher/sampler.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "subject/descendants.hpp"
#include "subject/enclosure.hpp"

namespace {

using namespace telltale;
using Clock = std::chrono::steady_clock;

constexpr int kPairs = 15;
constexpr int kConnections = 500;  // two sockets each

double milliseconds(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

// Connections from this process to itself, held until the end.
std::vector<subject::FileDescriptor> hold_connections() {
  std::vector<subject::FileDescriptor> held;
  held.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (bind(held[0].get(), raw, length) != 0 || listen(held[0].get(), kConnections) != 0 ||
      getsockname(held[0].get(), raw, &length) != 0)
    std::exit(3);
  for (int i = 0; i < kConnections; ++i) {
    held.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (connect(held.back().get(), raw, length) != 0) std::exit(3);
    held.emplace_back(accept4(held[0].get(), nullptr, nullptr, SOCK_CLOEXEC));
  }
  return held;
}

bool dumps_against_ss() {
  auto diagnostics = catcher::SocketDiagnostics::open();
  if (!diagnostics) return false;
  std::vector<double> ratios;
  for (int pair = 0; pair <= kPairs; ++pair) {
    auto start = Clock::now();
    std::size_t sockets = 0;
    if (!diagnostics->visit([&](const catcher::RawSocket&) { ++sockets; })) return false;
    const double ours = milliseconds(start);
    start = Clock::now();
    if (std::system("ss -tan >/dev/null") != 0) std::exit(3);
    const double theirs = milliseconds(start);
    if (pair > 0) ratios.push_back(ours / theirs);  // the first pair is thrown away
    if (sockets < 2 * kConnections) std::exit(3);
  }
  return bench::judge("one pass of dumps / ss -tan, 1,000 sockets", bench::median(ratios), 0.25,
                      fmt::format("median of {} pairs", kPairs));
}

// A connection each millisecond meanwhile: the counters never stand still.
class Busy {
 public:
  explicit Busy(std::uint16_t port) : thread_([this, port] { connect_all(port); }) {}
  ~Busy() {
    stop_ = true;
    thread_.join();
  }

 private:
  void connect_all(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    while (!stop_) {
      const subject::FileDescriptor one(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      (void)connect(one.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

bool share_of_a_core(const std::string& what, double bound) {
  catcher::Scene scene([] { return subject::descendants_of_this_process(); });
  const auto enclosure = subject::make_plain_enclosure();
  catcher::Sampler sampler(scene, catcher::within_this_network(), catcher::Sampler::Company::alone,
                           [] { return std::uint16_t{0}; });
  if (!sampler.start(*enclosure)) return false;
  std::this_thread::sleep_for(std::chrono::seconds(5));
  sampler.stop();
  for (const auto& row : sampler.rows(evidence::read_host()))
    if (row.name() == "sampler's share of a core")
      return bench::judge("sampler's share of a core, percent, " + what,
                          std::get<double>(row.value()), bound, "5 s, 1,000 sockets");
  return false;
}

}  // namespace

int main() {
  bench::print_host();
  const auto held = hold_connections();
  const bool dumps = dumps_against_ss();
  const bool idle = share_of_a_core("nothing new", 8);
  const subject::FileDescriptor other(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  socklen_t length = sizeof address;
  if (listen(other.get(), 4096) != 0 ||
      getsockname(other.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0)
    return 3;
  const Busy busy(ntohs(address.sin_port));
  // Who holds a new socket is looked up among all descriptors of the subject: no bound.
  (void)share_of_a_core("a new connection each millisecond", 100);
  return dumps && idle ? 0 : 1;
}
