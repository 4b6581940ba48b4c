// The witness: who does it. Every connect, all but a few packets with an address, every unusual
// socket of the subject is read at the system call, with the program, its command line and its
// ancestors (filter.hpp says which calls and what they cost, call.hpp what is said of each).
//
// Corroboration: it attributes and explains. One thing it refuses: a socket of AF_VSOCK
// (supervisor.cpp). Not seen: what io_uring does (its set-up is), packets that are sent by
// sendmsg(2) with MSG_NOSIGNAL (the making of the socket is), sockets that were connected
// elsewhere and passed in, send(2) on a connected socket, anything that the subject does faster
// than itself (another thread may change an address after it was read). A call says what was asked,
// not whether the kernel granted it.
//
// The enclosure asks for a Handoff at every start and calls Handoff::install() in the child.
#pragma once

#include <memory>
#include <optional>

#include "catcher/observer.hpp"
#include "catcher/witness/handoff.hpp"
#include "catcher/witness/process_cache.hpp"
#include "catcher/witness/ruling.hpp"

namespace telltale::catcher {

class Witness final : public Observer {
 public:
  // `judge`: decides what becomes of the calls; without one they go on.
  explicit Witness(Scene& scene, Judge judge = {});
  ~Witness() override;

  // One for each process that is started; any thread. After start().
  [[nodiscard]] Result<Handoff> handoff();

  [[nodiscard]] std::string_view name() const override { return "witness"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  void stop() override;
  // Acts with a destination, equal ones of one program and phase counted (Sighting::count), and
  // who made an "io_uring" or a "datagram socket": what others see and this one does not may be
  // its.
  [[nodiscard]] std::vector<Sighting> sightings() const override;
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

  // The rest, in the same form: "netlink", "io_uring", "exec", "32-bit call" of call.hpp. No
  // attempts: they go nowhere by themselves.
  [[nodiscard]] std::vector<Sighting> remarks() const;

  // Whose socket it was, by its SO_COOKIE: joins what other observers saw. Of the last 20,000.
  [[nodiscard]] std::optional<WitnessedProgram> owner_of(std::uint64_t cookie) const;

 private:
  struct Ledger;
  std::unique_ptr<Ledger> ledger_;
  std::string path_;                // of the control that runs now
  std::size_t unix_ = 0, tcp_ = 0;  // the acts of the round
};

}  // namespace telltale::catcher
