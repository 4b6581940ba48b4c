// The sink: every UDP packet of the subject, to any address and any port but 53. It is read, and
// nothing is answered.
//
// Packets from one port to one destination are one sighting, with a count; it says what the first
// of them says, or, for QUIC, what their ClientHello says once it is whole. At most kFlows are told
// apart by their port; later ones are counted by destination alone, and at most kFlows of those.
//
// Proof of what arrives. It does not see: multicast (the kernel delivers a group only where it was
// joined; the capture sees it), a packet that was dropped because the buffer was full (counted,
// SO_MEMINFO), and a UDP socket that was connected and sent nothing.
#pragma once

#include <memory>

#include "catcher/name_table.hpp"
#include "catcher/observer.hpp"
#include "catcher/serving.hpp"

namespace telltale::catcher {

class SentValues;

struct DatagramSinkPlan {
  SocketSource udp;  // with RECVORIGDSTADDR
  FarSide side;
  // Where the controls go; empty: a fresh address and port of each family, in a world where all
  // lead here.
  std::vector<Endpoint> probes{};
  SentValues* sent = nullptr;  // is fed every packet
};

class DatagramSink final : public Observer {
 public:
  static constexpr std::size_t kFlows = 10'000;
  static constexpr std::size_t kHalfHellos = 256;  // QUIC hellos that are waited for at once

  // `names` may be written by others meanwhile.
  DatagramSink(Scene& scene, const NameTable& names, DatagramSinkPlan plan);
  ~DatagramSink() override;

  [[nodiscard]] std::string_view name() const override { return "datagrams"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  void stop() override;
  [[nodiscard]] std::vector<Sighting> sightings() const override;
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace telltale::catcher
