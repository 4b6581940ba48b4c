#include "catcher/closed_sockets.hpp"

#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "catcher/closed_messages.hpp"
#include "catcher/closed_tallies.hpp"
#include "catcher/control_round.hpp"

namespace telltale::catcher {

namespace {

constexpr int kGatherMs = 1;
constexpr int kQuietMs = 50;         // the kernel tells from a work queue
constexpr int kSettledMs = 10;       // where the openings are known
constexpr int kSettleLimitMs = 500;  // a SYN that was sent again is no further socket
constexpr auto kEventPatience = std::chrono::seconds(2);

// What is left of a closed one, in the dump only (a time-wait entry shows its substate).
bool is_remainder(const RawSocket& socket) {
  return socket.protocol == IPPROTO_TCP && socket.state == TCP_FIN_WAIT2 && socket.inode == 0;
}

}  // namespace

struct ClosedSockets::Listener {
  Scene& scene;
  Within in_subject;
  Owner owner;
  Openings openings;
  std::optional<ClosedMessages> messages;  // the reader's own
  subject::FileDescriptor stopping;
  std::thread thread;

  mutable std::mutex mutex;  // guards everything below
  std::condition_variable added;
  ClosedTallies tallies;
  std::uint64_t overruns = 0;
  std::optional<evidence::Instant> started, ended;
  std::string failure;

  Listener(Scene& of, Within within, Owner who, Openings begun)
      : scene(of),
        in_subject(std::move(within)),
        owner(std::move(who)),
        openings(std::move(begun)) {}
  ~Listener() { shut(); }

  void shut() {
    if (!thread.joinable()) return;
    const std::uint64_t one = 1;
    (void)!write(stopping.get(), &one, sizeof one);
    thread.join();
    add_open();
    const std::lock_guard lock(mutex);
    ended = evidence::now();
  }

  // What has not been closed is told by a dump.
  void visit_open(const std::function<void(const RawSocket&)>& each) {
    const auto done = in_subject([&]() -> Result<> {
      auto diagnostics = SocketDiagnostics::open();
      if (!diagnostics) return pass_on(std::move(diagnostics.error()));
      return diagnostics->visit([&](const RawSocket& open) {
        if (!is_remainder(open)) each(open);
      });
    });
    const std::lock_guard lock(mutex);
    if (!done && failure.empty()) failure = done.error().what;
  }

  void add_open() {
    visit_open([this](const RawSocket& open) { add(open); });
  }

  // Whether every connection that was begun has been told of, or is still open.
  bool settled() {
    if (!openings) return true;
    std::uint64_t known = 0;
    visit_open([&](const RawSocket& open) {
      if (open.protocol == IPPROTO_TCP && ClosedTallies::reaches_out(open)) ++known;
    });
    const std::lock_guard lock(mutex);
    return known + tallies.closed_tcp() >= openings();
  }

  void add(const RawSocket& socket) {
    const auto moment = scene.moment();
    if (!ClosedTallies::reaches_out(socket)) {
      const std::lock_guard lock(mutex);
      return tallies.add_inside(socket, moment.launch);
    }
    const auto at = evidence::now();
    const auto program = owner ? owner(socket.cookie) : std::nullopt;
    const std::lock_guard lock(mutex);
    tallies.add(socket, program, moment, at);
  }

  void read_all() {
    const auto read = messages->read_all([this](const RawSocket& closed) { add(closed); });
    const std::lock_guard lock(mutex);
    overruns += read.overruns;
    if (read.some) added.notify_all();
  }

  void run() {
    pollfd waiting[] = {{stopping.get(), POLLIN, 0}, {messages->fd(), POLLIN, 0}};
    while ((waiting[0].revents & POLLIN) == 0) {
      poll(waiting, 2, -1);
      read_all();
      // A message wakes whoever waits for it, at the price of the subject's close(2): in a burst of
      // connections the next ones are taken together.
      poll(waiting, 1, kGatherMs);
    }
    const int quiet = openings ? kSettledMs : kQuietMs;
    for (int waited = 0; waited < kSettleLimitMs; waited += quiet) {
      while (poll(waiting + 1, 1, quiet) > 0) read_all();
      if (settled()) return;
    }
  }

  // nullptr: all were told.
  [[nodiscard]] const Stimulus* missing(const std::vector<Stimulus>& stimuli) const {
    const auto at = std::find_if(stimuli.begin(), stimuli.end(), [this](const auto& stimulus) {
      return stimulus.protocol == "tcp" && !tallies.has_tcp(stimulus.host, stimulus.port);
    });
    return at == stimuli.end() ? nullptr : &*at;
  }
};

ClosedSockets::ClosedSockets(Scene& scene, Within in_subject, Owner owner, Openings openings)
    : listener_(std::make_unique<Listener>(scene, std::move(in_subject), std::move(owner),
                                           std::move(openings))) {}
ClosedSockets::~ClosedSockets() = default;

Result<> ClosedSockets::start(subject::Enclosure&) {
  auto& listener = *listener_;
  const auto done = listener.in_subject([&]() -> Result<> {
    auto messages = ClosedMessages::subscribe();
    if (!messages) return pass_on(std::move(messages.error()));
    listener.messages.emplace(std::move(*messages));
    return {};
  });
  if (!done) return done;
  listener.stopping = subject::FileDescriptor(eventfd(0, EFD_CLOEXEC));
  listener.started = evidence::now();
  listener.thread = std::thread([&listener] { listener.run(); });
  return {};
}

std::string_view ClosedSockets::expected() const {
  return "a caller's closed TCP sockets, IPv4 and IPv6, are told";
}

void ClosedSockets::ask(ControlRound& round) {
  round.add_stimuli();
}

Proof ClosedSockets::check(const ControlRound& round) {
  if (auto failure = round.stimuli_failure(); !failure.empty()) return {"", {std::move(failure)}};
  auto& listener = *listener_;
  std::unique_lock lock(listener.mutex);
  listener.added.wait_for(lock, kEventPatience,
                          [&] { return listener.missing(round.stimuli()) == nullptr; });
  if (const auto* missing = listener.missing(round.stimuli()))
    return {"", {missing->text() + " was not told within 2 s"}};
  return {"both, at their addresses"};
}

void ClosedSockets::stop() {
  listener_->shut();
}

std::vector<Sighting> ClosedSockets::sightings() const {
  const std::lock_guard lock(listener_->mutex);
  auto all = listener_->tallies.sightings();
  // Told from a work queue, so a control's socket may come in the next phase.
  for (auto& sighting : all)
    if (listener_->scene.is_control(sighting.host, sighting.port)) sighting.phase = kControlPhase;
  return all;
}

std::set<std::uint16_t> ClosedSockets::reached_itself(int launch) const {
  const std::lock_guard lock(listener_->mutex);
  return listener_->tallies.inside(launch);
}

std::map<LedgerKey, std::uint64_t> ClosedSockets::tcp_counts() const {
  const std::lock_guard lock(listener_->mutex);
  return listener_->tallies.tcp_counts();
}

std::optional<WitnessedProgram> ClosedSockets::owner_of(const FlowKey& flow) const {
  const std::lock_guard lock(listener_->mutex);
  return listener_->tallies.owner_of(flow);
}

evidence::ObserverRecord ClosedSockets::record() const {
  const std::lock_guard lock(listener_->mutex);
  evidence::ObserverRecord record;
  record.name = "closed sockets";
  record.role = evidence::Role::corroboration;
  record.sees = "every TCP and connected UDP socket of the subject's network, when it is closed";
  record.misses = "raw and ICMP sockets, the peer of unconnected UDP";
  record.started = listener_->started;
  record.ended = listener_->ended;
  record.lost = listener_->overruns + listener_->tallies.lost();
  record.failure = listener_->failure;
  return record;
}

std::vector<evidence::Row> ClosedSockets::rows(const evidence::HostStamp&) const {
  const std::lock_guard lock(listener_->mutex);
  return {{"sockets with a peer, closed or left open",
           static_cast<std::int64_t>(listener_->tallies.closed()), "", "controls included"}};
}

}  // namespace telltale::catcher
