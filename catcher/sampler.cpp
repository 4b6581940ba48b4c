#include "catcher/sampler.hpp"

#include <fmt/core.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "catcher/control_round.hpp"
#include "catcher/nonce.hpp"
#include "catcher/opening_counter.hpp"
#include "catcher/socket_owner.hpp"
#include "catcher/socket_table.hpp"

namespace telltale::catcher {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kInterval = std::chrono::milliseconds(kSamplerIntervalMs);
constexpr auto kControlPatience = 2s;
constexpr int kMostSkipped = 10;  // passes without a look at TCP, while its counters stand still
constexpr int kBurst = 10;        // short connections a control makes
constexpr int kBurstHoldMs = 3;   // milliseconds each is held

double cpu_seconds_of_this_thread() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

}  // namespace

struct Sampler::Watcher {
  Scene& scene;
  Within in_subject;
  Company company;
  std::function<std::uint16_t()> proxy_port;
  std::optional<SocketDiagnostics> diagnostics;
  OpeningCounter openings;
  int skipped = 0;             // passes since the last look at TCP
  subject::Listener listener;  // where the controls connect to
  std::thread thread;

  mutable std::mutex mutex;  // guards everything below
  std::condition_variable passed;
  SocketTable table;
  bool stopping = false;
  std::uint64_t passes = 0;
  Clock::duration longest_gap{};
  double cpu_seconds = 0;
  int short_made = 0;
  int short_seen = 0;
  std::optional<evidence::Instant> started, ended;
  Clock::time_point since;
  std::set<pid_t> unreadable;  // processes whose sockets this user may not look at
  std::string failure;

  Watcher(Scene& of, Within within, Company beside, std::function<std::uint16_t()> port)
      : scene(of), in_subject(std::move(within)), company(beside), proxy_port(std::move(port)) {}
  ~Watcher() { shut(); }

  void shut() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    passed.notify_all();
    if (!thread.joinable()) return;
    thread.join();
    ended = evidence::now();
  }

  // False when the dump failed: the sampler then ends, and says why.
  bool pass() {
    const auto moment = scene.moment();
    const std::lock_guard lock(mutex);
    const auto meet = [this](const RawSocket& socket) { table.meet(socket); };
    const bool unsettled = table.pending();
    table.begin();
    const bool may_be_new = openings.changed() || unsettled || ++skipped >= kMostSkipped;
    if (may_be_new) skipped = 0;
    auto dumped = may_be_new ? diagnostics->visit(meet) : diagnostics->visit_udp(meet);
    table.resolve([this] { return socket_owners(scene.processes(), &unreadable); }, moment);
    ++passes;
    cpu_seconds = cpu_seconds_of_this_thread();
    if (!dumped) failure = dumped.error().what;
    return dumped.has_value();
  }

  void run() {
    auto last = Clock::now();
    auto next = last;
    while (pass()) {
      passed.notify_all();
      next = std::max(next + kInterval, Clock::now());
      std::unique_lock lock(mutex);
      if (passed.wait_until(lock, next, [this] { return stopping; })) return;
      const auto woke = Clock::now();
      longest_gap = std::max(longest_gap, woke - last);
      last = woke;
    }
    passed.notify_all();
  }

  [[nodiscard]] bool met(pid_t pid, std::uint16_t local_port) const {
    const auto& all = table.connections();
    return std::any_of(all.rbegin(), all.rend(), [&](const Connection& connection) {
      return connection.pid == pid && connection.socket.local_port == local_port;
    });
  }

  bool wait_until_met(pid_t pid, std::uint16_t local_port) {
    std::unique_lock lock(mutex);
    return passed.wait_for(lock, kControlPatience, [&] {
      return !failure.empty() || met(pid, local_port);
    }) && failure.empty();
  }

  // The caller waits for this end of its held connection to close.
  void release_callers() const {
    for (;;) {
      const subject::FileDescriptor accepted(
          accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!accepted.valid()) return;
    }
  }

  void count_short(pid_t pid, const std::string& ports) {
    const std::lock_guard lock(mutex);
    std::istringstream words(ports);
    for (std::uint16_t port = 0; words >> port;) {
      ++short_made;
      if (met(pid, port)) ++short_seen;
    }
  }
};

Sampler::Sampler(Scene& scene, Within in_subject, Company company,
                 std::function<std::uint16_t()> proxy_port)
    : watcher_(std::make_unique<Watcher>(scene, std::move(in_subject), company,
                                         std::move(proxy_port))) {}
Sampler::~Sampler() = default;

Result<> Sampler::start(subject::Enclosure& enclosure) {
  const auto opened = watcher_->in_subject([this]() -> Result<> {
    auto diagnostics = SocketDiagnostics::open();
    if (!diagnostics) return pass_on(std::move(diagnostics.error()));
    watcher_->diagnostics.emplace(std::move(*diagnostics));
    watcher_->openings = OpeningCounter::open();
    return {};
  });
  if (!opened) return opened;
  auto listener = enclosure.listen();
  if (!listener) return pass_on(std::move(listener.error()));
  watcher_->listener = std::move(*listener);
  watcher_->started = evidence::now();
  watcher_->since = Clock::now();
  watcher_->thread = std::thread([watcher = watcher_.get()] { watcher->run(); });
  return {};
}

std::string_view Sampler::expected() const {
  return "a connection that a caller holds open is seen, with its process";
}

void Sampler::ask(ControlRound& round) {
  const auto& address = watcher_->listener.address;
  const auto port = std::to_string(watcher_->listener.port);
  round.expect_at(address, watcher_->listener.port);
  hold_ = round.add({"hold", address, port});
  burst_ =
      round.add({"burst", address, port, std::to_string(kBurst), std::to_string(kBurstHoldMs)});
}

Proof Sampler::check(const ControlRound& round) {
  auto& watcher = *watcher_;
  const pid_t pid = round.caller();
  const auto& held = round.said(hold_);
  unsigned port = 0;
  Proof proof{fmt::format("seen, held by process {}", pid)};
  if (!held.done || std::sscanf(held.text.c_str(), "held %u", &port) != 1)
    proof.wrong.push_back(fmt::format("the caller made no connection: it said \"{}\"", held.text));
  else if (!watcher.wait_until_met(pid, static_cast<std::uint16_t>(port)))
    proof.wrong.emplace_back("not seen within 2 s");
  watcher.release_callers();
  if (const auto& burst = round.said(burst_); burst.done) watcher.count_short(pid, burst.text);
  return proof;
}

void Sampler::stop() {
  watcher_->shut();
}

std::vector<Sighting> Sampler::sightings() const {
  const std::lock_guard lock(watcher_->mutex);
  const auto proxy_port = watcher_->proxy_port();
  std::vector<Sighting> all;
  for (const auto& connection : watcher_->table.connections()) {
    if (watcher_->table.incoming(connection) || watcher_->table.to_itself(connection)) continue;
    const auto peer = connection.socket.peer_endpoint();
    Sighting sighting;
    sighting.observer = "sampler";
    sighting.at = connection.at;
    sighting.launch = connection.moment.launch;
    sighting.phase = connection.moment.phase;
    sighting.protocol = connection.socket.protocol == IPPROTO_TCP ? "tcp" : "udp";
    if (sighting.protocol == "udp" && watcher_->company == Company::with_others)
      sighting.kind = "udp connect";
    sighting.host = peer.address;
    sighting.port = peer.port;
    sighting.through_proxy = peer.address == watcher_->listener.address && peer.port == proxy_port;
    sighting.client_port = connection.socket.local_port;
    sighting.pid = connection.pid;
    sighting.executable = connection.executable;
    all.push_back(std::move(sighting));
  }
  return all;
}

std::vector<subject::ListeningSocket> Sampler::listeners(int launch) const {
  const std::lock_guard lock(watcher_->mutex);
  std::vector<subject::ListeningSocket> all;
  for (const auto& met : watcher_->table.met_listeners())
    if (met.moment.launch == launch && met.moment.phase != kControlPhase &&
        met.moment.phase != "set-up" && !watcher_->scene.is_caller(met.socket.pid))
      all.push_back(met.socket);
  return all;
}

std::set<std::uint16_t> Sampler::reached_itself(int launch) const {
  const std::lock_guard lock(watcher_->mutex);
  std::set<std::uint16_t> ports;
  for (const auto& connection : watcher_->table.connections())
    if (connection.moment.launch == launch && watcher_->table.to_itself(connection))
      ports.insert(connection.socket.peer_port);
  return ports;
}

evidence::ObserverRecord Sampler::record() const {
  const std::lock_guard lock(watcher_->mutex);
  evidence::ObserverRecord record;
  record.name = "sampler";
  record.role = evidence::Role::corroboration;
  record.sees = "TCP and connected UDP sockets of the subject's processes, every 10 ms";
  record.misses = "what opens and closes between two passes; unconnected UDP, raw and ICMP sockets";
  record.started = watcher_->started;
  record.ended = watcher_->ended;
  record.failure = watcher_->failure;
  if (watcher_->company == Company::alone && record.failure.empty() &&
      !watcher_->unreadable.empty())
    record.failure = fmt::format(
        "the sockets of {} processes could not be looked at: this user may not read their "
        "/proc/PID/fd (run as root)",
        watcher_->unreadable.size());
  if (watcher_->short_made > 0) {
    record.miss_rate = 1.0 - static_cast<double>(watcher_->short_seen) / watcher_->short_made;
    record.miss_rate_basis = fmt::format("{} of {} connections of {} ms missed",
                                         watcher_->short_made - watcher_->short_seen,
                                         watcher_->short_made, kBurstHoldMs);
  }
  return record;
}

std::vector<evidence::Row> Sampler::rows(const evidence::HostStamp& host) const {
  const std::lock_guard lock(watcher_->mutex);
  const std::chrono::duration<double, std::milli> gap = watcher_->longest_gap;
  const std::chrono::duration<double> elapsed = Clock::now() - watcher_->since;
  return {{"listeners seen", static_cast<std::int64_t>(watcher_->table.listeners()), "",
           "ports of the subject's processes: shows that the right processes were watched"},
          {"sampler passes", static_cast<std::int64_t>(watcher_->passes), "",
           fmt::format("one every {} ms", kSamplerIntervalMs)},
          evidence::Row::timing("longest time between two passes", gap.count(), "ms", host),
          evidence::Row::timing("sampler's share of a core",
                                100 * watcher_->cpu_seconds / std::max(elapsed.count(), 1e-9), "%",
                                host)};
}

}  // namespace telltale::catcher
