// The ledger: how many packets, and TCP openings, went to each destination, counted by the kernel
// on the world's side (counters.hpp), out of the subject's reach and without a reader that could be
// too slow.
//
// Proof of destinations. Read at the end of every phase of the run, so that a count has a phase.
// Not seen: source ports, content, processes, what is not IP.
#pragma once

#include <memory>
#include <string>

#include "catcher/ledger/counters.hpp"
#include "catcher/observer.hpp"
#include "catcher/within.hpp"

namespace telltale::catcher {

class Ledger final : public Observer {
 public:
  // `in_world` enters the network namespace of `interface` ("world0").
  Ledger(Scene& scene, Within in_world, std::string interface);
  ~Ledger() override;

  [[nodiscard]] std::string_view name() const override { return "ledger"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  void stop() override;
  // One for each destination and phase; first and last time are the phase's. TCP: count is the
  // SYNs.
  [[nodiscard]] std::vector<Sighting> sightings() const override;
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

  // All counted since start(), as last read.
  [[nodiscard]] std::map<LedgerKey, LedgerCount> counts() const;
  // TCP connections begun, as last read.
  [[nodiscard]] std::uint64_t openings() const;

 private:
  struct Book;
  std::shared_ptr<Book> book_;  // the scene's call holds it too
};

}  // namespace telltale::catcher
