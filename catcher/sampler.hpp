// The sampler observer: the kernel's list of sockets, every 10 ms, joined to the subject's
// processes.
//
// Corroboration: a connection that opens and closes between two passes is missed. How many it
// misses is measured in every run, on short connections that the run itself makes, and printed.
// What it does see, it sees whatever the program does with proxy variables. It also learns which
// ports the subject itself listens on: those tell an incoming connection, or the subject talking to
// itself, from a way out.
#pragma once

#include <memory>

#include "catcher/observer.hpp"
#include "catcher/within.hpp"

namespace telltale::catcher {

inline constexpr int kSamplerIntervalMs = 10;

class Sampler final : public Observer {
 public:
  // With nobody beside it that counts packets: a UDP socket with a peer is taken for an act, and a
  // process whose sockets this user may not look at (another's, or one with capabilities) is a
  // failure. Else both are others' to see, and such a socket is of kind "udp connect".
  enum class Company { alone, with_others };

  // `in_subject` enters the network of the subject. `proxy_port` tells which connections only lead
  // to the proxy; 0: there is none.
  Sampler(Scene& scene, Within in_subject, Company company,
          std::function<std::uint16_t()> proxy_port);
  ~Sampler() override;

  [[nodiscard]] std::string_view name() const override { return "sampler"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  void stop() override;
  [[nodiscard]] std::vector<Sighting> sightings() const override;
  [[nodiscard]] std::vector<subject::ListeningSocket> listeners(int launch) const override;
  [[nodiscard]] std::set<std::uint16_t> reached_itself(int launch) const override;
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

 private:
  struct Watcher;
  std::unique_ptr<Watcher> watcher_;
  std::size_t hold_ = 0, burst_ = 0;  // the acts of the round
};

}  // namespace telltale::catcher
