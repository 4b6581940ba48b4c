// One pass of the sampler's socket dumps over 1,000 sockets against `ss -tan`, and what the whole
// sampler takes of a core at its 10 ms.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

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

bool share_of_a_core() {
  catcher::Scene scene([] { return subject::descendants_of_this_process(); });
  const auto enclosure = subject::make_plain_enclosure();
  catcher::Sampler sampler(scene, catcher::within_this_network(), catcher::Sampler::Company::alone,
                           [] { return std::uint16_t{0}; });
  if (!sampler.start(*enclosure)) return false;
  std::this_thread::sleep_for(std::chrono::seconds(5));
  sampler.stop();
  for (const auto& row : sampler.rows(evidence::read_host()))
    if (row.name() == "sampler's share of a core")
      return bench::judge("sampler's share of a core, percent", std::get<double>(row.value()), 8,
                          "5 s, 1,000 sockets");
  return false;
}

}  // namespace

int main() {
  bench::print_host();
  const auto held = hold_connections();
  const bool dumps = dumps_against_ss();
  const bool share = share_of_a_core();
  return dumps && share ? 0 : 1;
}
