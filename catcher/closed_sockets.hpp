// Closed sockets: the kernel tells of every TCP and UDP socket of the subject's network when it is
// destroyed (the SKNLGRP_INET_*_DESTROY groups of NETLINK_SOCK_DIAG).
//
// Corroboration: events, so that no connection is too short for it; the socket's cookie leads to
// the witness, and so to the process. Measured: 20,000 of 20,000 at 31,000 a second; with a receive
// buffer of 64 KB 14 % were lost, so it is as large as the kernel lets it be, and an overrun counts
// as lost. Not seen: raw and ICMP sockets, the peer of an unconnected UDP socket, both ports of a
// connection that was refused (it has port 0). A connected UDP socket may have sent nothing. The
// phase is that of the closing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "catcher/capture/frame.hpp"
#include "catcher/ledger/counters.hpp"
#include "catcher/observer.hpp"
#include "catcher/within.hpp"
#include "catcher/witness/process_cache.hpp"

namespace telltale::catcher {

class ClosedSockets final : public Observer {
 public:
  // By a socket's cookie; thread-safe (Witness::owner_of).
  using Owner = std::function<std::optional<WitnessedProgram>(std::uint64_t)>;

  // How many TCP connections were begun, as somebody else has counted; asked once nothing begins
  // any more, so that stop() knows when it has been told of all.
  using Openings = std::function<std::uint64_t()>;

  // `in_subject` enters the subject's network namespace. Without `owner` nobody is named.
  ClosedSockets(Scene& scene, Within in_subject, Owner owner = {}, Openings openings = {});
  ~ClosedSockets() override;

  [[nodiscard]] std::string_view name() const override { return "closed sockets"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  // Takes in what is on its way, and what is still open.
  void stop() override;
  // One for each destination, program and phase, with their number; the loopback interface is left
  // out. kind of UDP: "udp connect".
  [[nodiscard]] std::vector<Sighting> sightings() const override;
  [[nodiscard]] std::set<std::uint16_t> reached_itself(int launch) const override;
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

  // After stop(): TCP sockets by destination, those still open included; port 0: refused.
  [[nodiscard]] std::map<LedgerKey, std::uint64_t> tcp_counts() const;
  // Whose flow it was, where its local port was told; of the first 20,000.
  [[nodiscard]] std::optional<WitnessedProgram> owner_of(const FlowKey& flow) const;

 private:
  struct Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace telltale::catcher
