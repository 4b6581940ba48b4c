#include "catcher/witness/witness.hpp"

#include <fmt/core.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "catcher/control_round.hpp"
#include "catcher/nonce.hpp"
#include "catcher/witness/supervisor.hpp"

namespace telltale::catcher {

namespace {

using namespace std::chrono_literals;

constexpr auto kWitnessPatience = 2s;
constexpr std::size_t kMaximumTallies = 50'000;  // distinct acts; about 400 bytes each
constexpr std::size_t kMaximumCookies = 20'000;

// Program, kind, protocol, host, port, launch, phase.
using Act = std::tuple<std::uint32_t, std::string, std::string, std::string, std::uint16_t, int,
                       std::string>;
struct Tally {
  evidence::Instant first, last;
  std::uint64_t count = 0;
};

bool goes_somewhere(const std::string& kind) {
  return kind != "netlink" && kind != "exec" && kind != "32-bit call" && !is_means(kind);
}

}  // namespace

struct Witness::Ledger {
  Scene& scene;
  const Trapped trapped;
  subject::Listener listener;  // where the controls connect to

  mutable std::mutex mutex;  // guards everything below, the supervisor excepted
  std::condition_variable added;
  std::map<Act, Tally> tallies;
  std::map<std::uint32_t, WitnessedProgram> programs;
  std::map<std::uint32_t, std::string> parties;  // of those that are not the subject's
  std::unordered_map<std::uint64_t, std::uint32_t> by_cookie;
  std::deque<std::uint64_t> cookies;  // in the order in which they came
  std::uint64_t calls = 0;
  std::uint64_t undecoded = 0;
  std::uint64_t lost = 0;
  std::optional<evidence::Instant> started, ended;
  std::string failure;

  Supervisor supervisor;  // last: its thread ends before the rest goes

  Ledger(Scene& of, Judge judge)
      : scene(of),
        trapped(judge ? Trapped::every_message : Trapped::rarely_paid),
        supervisor([this](const auto& call, const auto& processes,
                          const auto& party) { add(call, processes, party); },
                   [this](const std::string& why) { fail_with(why); }, std::move(judge)) {}

  void fail_with(const std::string& why) {
    const std::lock_guard lock(mutex);
    if (failure.empty()) failure = why;
    added.notify_all();
  }

  void add(const WitnessedCall& call, const ProcessCache& processes, const std::string& party) {
    const auto moment = scene.moment();
    const auto at = evidence::now();
    const std::lock_guard lock(mutex);
    ++calls;
    undecoded += call.undecoded;
    if (call.acts.empty()) return;
    if (programs.count(call.program) == 0)
      programs.emplace(call.program, processes.program(call.program));
    if (!party.empty()) parties.emplace(call.program, party);
    for (const auto& act : call.acts) {
      add(call.program, act, moment, at);
      if (act.cookie != 0) remember(act.cookie, call.program);
    }
    added.notify_all();
  }

  void add(std::uint32_t program, const WitnessedAct& act, const Moment& moment,
           evidence::Instant at) {
    Act key{program, act.kind, act.protocol, act.host, act.port, moment.launch, moment.phase};
    auto known = tallies.find(key);
    if (known == tallies.end()) {
      if (tallies.size() >= kMaximumTallies) {
        ++lost;
        return;
      }
      known = tallies.emplace(std::move(key), Tally{at, at, 0}).first;
    }
    known->second.last = at;
    ++known->second.count;
  }

  void remember(std::uint64_t cookie, std::uint32_t program) {
    if (!by_cookie.insert_or_assign(cookie, program).second) return;
    cookies.push_back(cookie);
    if (cookies.size() <= kMaximumCookies) return;
    by_cookie.erase(cookies.front());
    cookies.pop_front();
  }

  [[nodiscard]] Sighting to_sighting(const Act& act, const Tally& tally) const {
    const auto& [index, kind, protocol, host, port, launch, phase] = act;
    const auto& program = programs.at(index);
    Sighting sighting;
    sighting.observer = "witness";
    sighting.at = tally.first;
    sighting.last = tally.last;
    sighting.count = tally.count;
    sighting.launch = launch;
    sighting.phase = phase;
    sighting.kind = kind;
    sighting.protocol = protocol;
    sighting.host = host;
    sighting.port = port;
    put_into(program, sighting);
    if (const auto party = parties.find(index); party != parties.end())
      sighting.party = party->second;
    return sighting;
  }

  [[nodiscard]] std::vector<Sighting> all(bool somewhere) const {
    const std::lock_guard lock(mutex);
    std::vector<Sighting> sightings;
    for (const auto& [act, tally] : tallies)
      if (goes_somewhere(std::get<1>(act)) == somewhere)
        sightings.push_back(to_sighting(act, tally));
    return sightings;
  }

  // The executable of whoever did it; empty: nobody within the patience.
  std::string wait_for(const std::string& host, std::uint16_t port) {
    std::unique_lock lock(mutex);
    const auto find = [&] {
      return std::find_if(tallies.begin(), tallies.end(), [&](const auto& tally) {
        return std::get<3>(tally.first) == host && std::get<4>(tally.first) == port &&
               std::get<6>(tally.first) == scene.moment().phase;
      });
    };
    added.wait_for(lock, kWitnessPatience,
                   [&] { return !failure.empty() || find() != tallies.end(); });
    const auto found = find();
    if (found == tallies.end() || !failure.empty()) return {};
    return programs.at(std::get<0>(found->first)).executable;
  }

  // Ends the connections that the controls left in the queue.
  void drain_listener() const {
    for (;;) {
      const subject::FileDescriptor accepted(
          accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!accepted.valid()) return;
    }
  }

  // Empty when it was seen; else what was not. A call that the kernel refused is witnessed too.
  std::string missed(const char* act, const std::string& host, std::uint16_t port,
                     const ControlRound::Said& said) {
    if (!said.heard) return said.text;
    const auto program = wait_for(host, port);
    if (program.find("telltale-caller") != std::string::npos) return {};
    return fmt::format("{} {} of the caller (it said \"{}\") {}", act, host, said.text,
                       program.empty() ? "was not seen within 2 s" : "was laid to " + program);
  }
};

Witness::Witness(Scene& scene, Judge judge)
    : ledger_(std::make_unique<Ledger>(scene, std::move(judge))) {}
Witness::~Witness() = default;

Result<Handoff> Witness::handoff() {
  auto made = Handoff::make(ledger_->trapped);
  if (made) ledger_->supervisor.adopt(made->take_supervisor_end(), ledger_->scene.party());
  return made;
}

Result<> Witness::start(subject::Enclosure& enclosure) {
  auto listener = enclosure.listen();
  if (!listener) return pass_on(std::move(listener.error()));
  ledger_->listener = std::move(*listener);
  if (auto started = ledger_->supervisor.start(); !started) return started;
  ledger_->started = evidence::now();
  return {};
}

std::string_view Witness::expected() const {
  return "a connection and a unix socket path of a caller are seen, with it";
}

void Witness::ask(ControlRound& round) {
  const auto& [socket, address, port] = ledger_->listener;
  path_ = "/" + make_nonce();
  round.expect_at(address, port);
  unix_ = round.add({"unix", path_});
  tcp_ = round.add({"tcp", address, std::to_string(port)});
}

Proof Witness::check(const ControlRound& round) {
  auto& ledger = *ledger_;
  const auto& [socket, address, port] = ledger.listener;
  Proof proof{"both seen, with the caller's program"};
  for (auto& missed : {ledger.missed("unix", path_, 0, round.said(unix_)),
                       ledger.missed("tcp", address, port, round.said(tcp_))})
    if (!missed.empty()) proof.wrong.push_back(missed);
  ledger.drain_listener();
  return proof;
}

void Witness::stop() {
  ledger_->supervisor.stop();
  if (ledger_->started && !ledger_->ended) ledger_->ended = evidence::now();
}

std::vector<Sighting> Witness::sightings() const {
  auto acts = ledger_->all(true);
  for (auto& remark : ledger_->all(false))
    if (is_means(remark.kind)) acts.push_back(std::move(remark));
  return acts;
}

std::vector<Sighting> Witness::remarks() const {
  return ledger_->all(false);
}

std::optional<WitnessedProgram> Witness::owner_of(std::uint64_t cookie) const {
  const std::lock_guard lock(ledger_->mutex);
  const auto at = ledger_->by_cookie.find(cookie);
  if (at == ledger_->by_cookie.end()) return std::nullopt;
  return ledger_->programs.at(at->second);
}

evidence::ObserverRecord Witness::record() const {
  const std::lock_guard lock(ledger_->mutex);
  evidence::ObserverRecord record;
  record.name = "witness";
  record.role = evidence::Role::corroboration;
  record.sees = "system calls that name a destination, with program, command line and ancestry";
  record.misses =
      "what io_uring does, datagrams sent with MSG_NOSIGNAL, sockets passed in already connected, "
      "32-bit programs' addresses";
  record.started = ledger_->started;
  record.ended = ledger_->ended;
  record.lost = ledger_->lost;
  record.failure = ledger_->failure;
  return record;
}

std::vector<evidence::Row> Witness::rows(const evidence::HostStamp&) const {
  std::set<std::string> blind, netlink;
  std::uint64_t executed = 0;
  for (const auto& remark : remarks()) {
    if (remark.kind == "exec") executed += remark.count;
    if (remark.kind == "io_uring") blind.insert(remark.executable);
    if (remark.kind == "netlink") netlink.insert(remark.executable);
  }
  const std::lock_guard lock(ledger_->mutex);
  std::vector<evidence::Row> rows{
      {"system calls witnessed", static_cast<std::int64_t>(ledger_->calls)},
      {"programs executed", static_cast<std::int64_t>(executed), "",
       "calls of execve, refused ones included"}};
  if (ledger_->undecoded > 0)
    rows.emplace_back("addresses that could not be read",
                      static_cast<std::int64_t>(ledger_->undecoded));
  for (const auto& program : netlink)
    rows.emplace_back("netlink socket", program, "", "asks its own kernel: no egress");
  for (const auto& program : blind)
    rows.emplace_back("witness blind", program, "", "from its io_uring_setup on");
  return rows;
}

}  // namespace telltale::catcher
