// The resolver: a DNS server at every address, UDP and TCP, that knows every name.
//
// Theory of operation. The world redirects whatever the subject sends to port 53 of any address to
// two sockets, whose original destination the kernel tells; so a hard-coded outside resolver is
// answered like the one of resolv.conf, from the address that was asked. Each name gets an address
// of its own (name_table.hpp), so that a later connection has its name. Every question, of any
// type, is a sighting. "localhost" stays the subject itself (RFC 6761).
//
// Proof of names. Blind to a program that asks in another way: DNS over TLS or HTTPS (the answerer
// sees that connection), a unix socket of the host, /etc/hosts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "catcher/name_table.hpp"
#include "catcher/observer.hpp"
#include "catcher/serving.hpp"

namespace telltale::catcher {

class SentValues;

struct ResolverPlan {
  SocketSource udp;  // with RECVORIGDSTADDR
  SocketSource tcp;  // listening
  FarSide side;
  bool no_such_name = false;  // the answer mode of that name; else every name exists
  // Where the controls ask; empty: port 53 of a fresh address, in a world where all lead here.
  std::optional<Endpoint> probe{};
  // Names that exist in that mode too: those of servers whose answers are played.
  std::function<bool(const std::string& name)> exists{};
  // The IPv4 address of a name that lives inside (companion_place.hpp); empty: it does not.
  std::function<std::string(const std::string& name)> inside{};
  SentValues* sent = nullptr;  // is fed every message, and every name without its dots
};

class Resolver final : public Observer {
 public:
  static constexpr std::size_t kConnections = 512;  // over TCP at once; the oldest has to go

  // `names` may be read by others meanwhile.
  Resolver(Scene& scene, NameTable& names, ResolverPlan plan);
  ~Resolver() override;

  [[nodiscard]] std::string_view name() const override { return "resolver"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  // Questions A by UDP, TXT by UDP, A by TCP, each answered and recorded.
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
