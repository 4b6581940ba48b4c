#include "catcher/ledger/ledger.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

#include "catcher/control_round.hpp"

namespace telltale::catcher {

namespace {

// One phase of the run, and what was added in it.
struct Page {
  Moment moment;
  evidence::Instant from, to;
  std::map<LedgerKey, LedgerCount> added;
};

}  // namespace

struct Ledger::Book {
  Scene& scene;
  Within in_world;
  std::string interface;

  mutable std::mutex mutex;  // of everything below
  std::optional<LedgerCounters> counters;
  LedgerReading last;
  evidence::Instant last_read{};
  std::vector<Page> pages;
  std::set<std::string> overflowed;
  std::optional<evidence::Instant> started, ended;
  std::string failure;

  Book(Scene& of, Within within, std::string name)
      : scene(of), in_world(std::move(within)), interface(std::move(name)) {}

  // Closes a page: what was added since the last reading belongs to that moment.
  void close(const Moment& moment) {
    const std::lock_guard lock(mutex);
    if (!counters || ended || !failure.empty()) return;
    auto reading = counters->read();
    if (!reading) {
      failure = reading.error().what;
      return;
    }
    Page page{moment, last_read, evidence::now(), {}};
    for (const auto& [key, count] : reading->counts) {
      const auto& before = last.counts[key];
      if (count.packets > before.packets)
        page.added[key] = {count.packets - before.packets, count.bytes - before.bytes};
    }
    overflowed.insert(reading->overflowed.begin(), reading->overflowed.end());
    last = std::move(*reading);
    last_read = page.to;
    if (!page.added.empty()) pages.push_back(std::move(page));
  }

  // nullptr: all were counted.
  [[nodiscard]] const Stimulus* missing(const std::vector<Stimulus>& stimuli) const {
    const std::lock_guard lock(mutex);
    const auto at = std::find_if(stimuli.begin(), stimuli.end(), [&](const auto& stimulus) {
      const auto counted = last.counts.find({stimulus.protocol, stimulus.host, stimulus.port});
      return counted == last.counts.end() || counted->second.packets == 0;
    });
    return at == stimuli.end() ? nullptr : &*at;
  }
};

Ledger::Ledger(Scene& scene, Within in_world, std::string interface)
    : book_(std::make_shared<Book>(scene, std::move(in_world), std::move(interface))) {}
Ledger::~Ledger() = default;

Result<> Ledger::start(subject::Enclosure&) {
  auto done = book_->in_world([&]() -> Result<> {
    auto made = LedgerCounters::make(book_->interface);
    if (!made) return pass_on(made.error());
    book_->counters.emplace(std::move(*made));
    return {};
  });
  if (!done) return done;
  book_->started = book_->last_read = evidence::now();
  book_->scene.on_leave([book = std::weak_ptr(book_)](const Moment& leaving) {
    if (const auto alive = book.lock()) alive->close(leaving);
  });
  return {};
}

std::string_view Ledger::expected() const {
  return "a caller's TCP, UDP and ICMP, over IPv4 and IPv6, are counted";
}

void Ledger::ask(ControlRound& round) {
  round.add_stimuli();
}

Proof Ledger::check(const ControlRound& round) {
  if (auto failure = round.stimuli_failure(); !failure.empty()) return {"", {std::move(failure)}};
  // No patience is needed: a packet is counted before the caller's system call returns.
  book_->close(book_->scene.moment());
  const auto* missing = book_->missing(round.stimuli());
  const std::lock_guard lock(book_->mutex);
  if (!book_->failure.empty()) return {"", {book_->failure}};
  if (missing != nullptr) return {"", {missing->text() + " was not counted"}};
  if (!book_->overflowed.empty()) return {"", {"a set is full"}};
  return {"all six, at their addresses"};
}

void Ledger::stop() {
  if (!book_->started || book_->ended) return;
  book_->close(book_->scene.moment());
  book_->ended = evidence::now();
}

std::vector<Sighting> Ledger::sightings() const {
  const std::lock_guard lock(book_->mutex);
  std::vector<Sighting> all;
  for (const auto& page : book_->pages)
    for (const auto& [key, count] : page.added) {
      Sighting sighting;
      sighting.observer = "ledger";
      sighting.at = page.from;
      sighting.last = page.to;
      sighting.launch = page.moment.launch;
      sighting.phase = page.moment.phase;
      std::tie(sighting.protocol, sighting.host, sighting.port) = key;
      sighting.count = sighting.protocol == "tcp" ? count.packets : 1;
      sighting.packets = count.packets;
      sighting.bytes = count.bytes;
      all.push_back(std::move(sighting));
    }
  return all;
}

std::map<LedgerKey, LedgerCount> Ledger::counts() const {
  const std::lock_guard lock(book_->mutex);
  return book_->last.counts;
}

std::uint64_t Ledger::openings() const {
  std::uint64_t all = 0;
  for (const auto& [key, count] : counts())
    if (std::get<0>(key) == "tcp") all += count.packets;
  return all;
}

evidence::ObserverRecord Ledger::record() const {
  const std::lock_guard lock(book_->mutex);
  evidence::ObserverRecord record;
  record.name = "ledger";
  record.role = evidence::Role::proof;
  record.sees = "packets and TCP openings to each destination, counted by the kernel";
  record.misses = "source ports, content, processes; what is not IP";
  record.started = book_->started;
  record.ended = book_->ended;
  record.failure = book_->failure;
  if (record.failure.empty() && !book_->overflowed.empty())
    record.failure = fmt::format("more than {} destinations: {} overflowed", kLedgerDestinations,
                                 fmt::join(book_->overflowed, ", "));
  return record;
}

std::vector<evidence::Row> Ledger::rows(const evidence::HostStamp&) const {
  const std::lock_guard lock(book_->mutex);
  return {{"destinations counted", static_cast<std::int64_t>(book_->last.counts.size()), "",
           fmt::format("controls included; at most {} of one protocol", kLedgerDestinations)}};
}

}  // namespace telltale::catcher
