#include "catcher/capture/tap.hpp"

#include <fmt/core.h>
#include <net/ethernet.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "catcher/capture/live_capture.hpp"
#include "catcher/capture/pcapng.hpp"
#include "catcher/control_round.hpp"
#include "catcher/moment_log.hpp"
#include "catcher/sent/sent_values.hpp"
#include "catcher/sighting_log.hpp"

namespace telltale::catcher {

namespace {

constexpr int kQuietRounds =
    6;  // two hand-overs each, for packets that were counted and do not come
constexpr auto kTapPatience = std::chrono::seconds(2);

}  // namespace

struct Tap::Reader {
  Scene& scene;
  TapPlan plan;
  MomentLog moments;
  CaptureHandle handle;
  HardwareAddress world{};  // of the interface: frames from it are the world's own
  std::optional<PcapngWriter> writer;
  subject::FileDescriptor stopping;
  std::thread thread;

  mutable std::mutex mutex;  // guards everything below
  std::condition_variable added;
  FlowTable flows;
  std::uint64_t packets = 0;
  std::uint64_t dropped = 0;
  std::optional<evidence::Instant> started, ended;
  std::string failure;

  Reader(Scene& of, TapPlan given) : scene(of), plan(std::move(given)), moments(of) {}
  ~Reader() { shut(); }

  Result<> open() {
    auto opened = open_capture(plan.interface, kTapSnaplen, kTapRing);
    if (!opened) return pass_on(std::move(opened.error()));
    auto address = hardware_of(plan.interface);
    if (!address) return pass_on(std::move(address.error()));
    handle = std::move(*opened);
    world = *address;
    return {};
  }

  void shut() {
    if (!thread.joinable()) return;
    const std::uint64_t one = 1;
    (void)!write(stopping.get(), &one, sizeof one);
    thread.join();
    if (writer)
      if (auto closed = writer->close(); !closed) fail_with(closed.error().what);
    const std::lock_guard lock(mutex);
    ended = evidence::now();
  }

  void fail_with(const std::string& why) {
    const std::lock_guard lock(mutex);
    if (failure.empty()) failure = why;
    added.notify_all();
  }

  static void on_packet(unsigned char* user, const pcap_pkthdr* header,
                        const unsigned char* bytes) {
    reinterpret_cast<Reader*>(user)->take(*header, bytes);
  }

  // Called with the mutex held.
  void take(const pcap_pkthdr& header, const unsigned char* bytes) {
    // With nanosecond precision tv_usec holds nanoseconds (pcap_set_tstamp_precision(3PCAP)).
    const std::chrono::nanoseconds at =
        std::chrono::seconds(header.ts.tv_sec) + std::chrono::nanoseconds(header.ts.tv_usec);
    ++packets;
    if (writer)
      writer->add(static_cast<std::uint64_t>(at.count()), bytes, header.caplen, header.len);
    const bool ours = header.caplen >= ETHER_HDR_LEN &&
                      std::equal(world.begin(), world.end(), bytes + ETHER_ADDR_LEN);
    if (ours) return;
    const auto frame = read_frame(bytes, header.caplen);
    flows.add(frame, PacketTime(at), header.len);
    if (plan.sent != nullptr) feed(frame.flow, bytes, header.caplen);
  }

  void feed(const FlowKey& flow, const unsigned char* bytes, std::uint32_t captured) const {
    SentStream one;
    plan.sent->feed(one, {reinterpret_cast<const char*>(bytes), captured},
                    {"tap", flow.protocol_name(), flow.host(), flow.destination_port, ""});
  }

  // False: nothing was there.
  bool read() {
    const std::lock_guard lock(mutex);
    const int count =
        pcap_dispatch(handle.get(), -1, on_packet, reinterpret_cast<unsigned char*>(this));
    if (count < 0 && failure.empty())
      failure = fmt::format("the tap ended: {}", pcap_geterr(handle.get()));
    if (count > 0) added.notify_all();
    return count > 0;
  }

  // True: all that the kernel has taken is here, or was dropped.
  bool has_all() {
    const std::lock_guard lock(mutex);
    pcap_stat statistics{};
    if (pcap_stats(handle.get(), &statistics) != 0) return false;
    dropped = statistics.ps_drop;
    return packets + dropped >= statistics.ps_recv;
  }

  void run() {
    pollfd waiting[] = {{stopping.get(), POLLIN, 0},
                        {pcap_get_selectable_fd(handle.get()), POLLIN, 0}};
    while ((waiting[0].revents & POLLIN) == 0) {
      poll(waiting, 2, -1);
      read();
    }
    drain(waiting[1]);
  }

  void drain(pollfd& ring) {
    for (int quiet = 0; quiet < kQuietRounds;) {
      const bool all = has_all();
      poll(&ring, 1, 2 * kTapHandOverMs);
      if (read())
        quiet = 0;
      else if (++quiet; all)
        return;
    }
  }

  [[nodiscard]] bool has(const Stimulus& stimulus) const {
    return std::any_of(flows.flows().begin(), flows.flows().end(), [&](const auto& flow) {
      const auto& key = flow.first;
      return key.destination_port == stimulus.port &&
             // 0: no longer told apart (FlowTable).
             (key.source_port == stimulus.client_port || key.source_port == 0 ||
              stimulus.client_port == 0) &&
             key.protocol_name() == stimulus.protocol && key.host() == stimulus.host;
    });
  }

  [[nodiscard]] const Stimulus* missing(const std::vector<Stimulus>& stimuli) const {
    const auto at = std::find_if(stimuli.begin(), stimuli.end(),
                                 [this](const auto& stimulus) { return !has(stimulus); });
    return at == stimuli.end() ? nullptr : &*at;
  }

  [[nodiscard]] Sighting to_sighting(const FlowKey& flow, const FlowTally& tally) const {
    const auto moment =
        moments.at(std::chrono::time_point_cast<MomentLog::Time::duration>(tally.first));
    Sighting sighting;
    sighting.observer = "tap";
    sighting.at = std::chrono::time_point_cast<std::chrono::milliseconds>(tally.first);
    sighting.last = std::chrono::time_point_cast<std::chrono::milliseconds>(tally.last);
    sighting.launch = moment.launch;
    sighting.phase = moment.phase;
    sighting.protocol = flow.protocol_name();
    sighting.host = flow.host();
    sighting.port = flow.destination_port;
    sighting.client_port = flow.source_port;
    sighting.kind = flow_kind(flow, tally);
    sighting.packets = tally.packets;
    sighting.bytes = tally.bytes;
    return sighting;
  }
};

Tap::Tap(Scene& scene, TapPlan plan) : reader_(std::make_unique<Reader>(scene, std::move(plan))) {}
Tap::~Tap() = default;

Result<> Tap::start(subject::Enclosure&) {
  auto& reader = *reader_;
  if (auto opened = reader.plan.in_world([&] { return reader.open(); }); !opened) return opened;
  reader.stopping = subject::FileDescriptor(eventfd(0, EFD_CLOEXEC));
  if (!reader.plan.file.empty()) {
    auto writer = PcapngWriter::create(reader.plan.file, kTapSnaplen, reader.plan.interface);
    if (!writer) return pass_on(std::move(writer.error()));
    reader.writer.emplace(std::move(*writer));
  }
  reader.started = evidence::now();
  reader.thread = std::thread([&reader] { reader.run(); });
  return {};
}

std::string_view Tap::expected() const {
  return "a caller's TCP, UDP and ICMP, over IPv4 and IPv6, are captured";
}

void Tap::ask(ControlRound& round) {
  round.add_stimuli();
}

Proof Tap::check(const ControlRound& round) {
  if (auto failure = round.stimuli_failure(); !failure.empty()) return {"", {std::move(failure)}};
  auto& reader = *reader_;
  std::unique_lock lock(reader.mutex);
  reader.added.wait_for(lock, kTapPatience, [&] {
    return !reader.failure.empty() || reader.missing(round.stimuli()) == nullptr;
  });
  if (!reader.failure.empty()) return {"", {reader.failure}};
  const auto* missing = reader.missing(round.stimuli());
  if (missing != nullptr) return {"", {missing->text() + " was not seen within 2 s"}};
  return {"all six, at their addresses"};
}

void Tap::stop() {
  reader_->shut();
}

FlowTable::Map Tap::flows() const {
  const std::lock_guard lock(reader_->mutex);
  return reader_->flows.flows();
}

std::vector<Sighting> Tap::sightings() const {
  const std::lock_guard lock(reader_->mutex);
  SightingLog all;
  for (const auto& [flow, tally] : reader_->flows.flows())
    all.add(reader_->to_sighting(flow, tally));
  return all.take();
}

Result<> Tap::comment(const Describe& describe) const {
  if (reader_->plan.file.empty()) return {};
  return annotate(reader_->plan.file, [&](const std::uint8_t* bytes, std::uint32_t captured) {
    if (captured < ETHER_HDR_LEN) return std::string();
    const bool answer =
        std::equal(reader_->world.begin(), reader_->world.end(), bytes + ETHER_ADDR_LEN);
    const auto flow = read_frame(bytes, captured).flow;
    return describe(answer ? reversed(flow) : flow);
  });
}

evidence::ObserverRecord Tap::record() const {
  const std::lock_guard lock(reader_->mutex);
  evidence::ObserverRecord record;
  record.name = "tap";
  record.role = evidence::Role::proof;
  record.sees = "every packet that leaves the subject's network, whatever made it";
  record.misses = "what never becomes a packet; which process it was";
  record.started = reader_->started;
  record.ended = reader_->ended;
  record.lost = reader_->dropped + reader_->flows.lost();
  record.failure = reader_->failure;
  return record;
}

std::vector<evidence::Row> Tap::rows(const evidence::HostStamp&) const {
  const std::lock_guard lock(reader_->mutex);
  return {{"packets captured", static_cast<std::int64_t>(reader_->packets), "",
           fmt::format("at most {} bytes of each are kept", kTapSnaplen)},
          {"packets of the kernel's own", static_cast<std::int64_t>(reader_->flows.housekeeping()),
           "", "neighbour discovery, group membership, ICMP errors and echo replies: no attempts"}};
}

}  // namespace telltale::catcher
