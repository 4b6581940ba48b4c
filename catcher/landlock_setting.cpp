#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "catcher/answerer.hpp"
#include "catcher/landlock/broker.hpp"
#include "catcher/landlock/enclosure.hpp"
#include "catcher/name_table.hpp"
#include "catcher/proxy.hpp"
#include "catcher/resolver.hpp"
#include "catcher/sampler.hpp"
#include "catcher/setting.hpp"
#include "catcher/witness/start_hook.hpp"
#include "catcher/witness/witness.hpp"
#include "catcher/world/seal_controls.hpp"

namespace telltale::catcher {

namespace {

constexpr auto kLoopbackHost = "127.0.0.1";
constexpr int kLoopbackBacklog = 65535;  // the kernel cuts it to net.core.somaxconn

// What the subject is led to.
struct LoopbackSockets {
  subject::FileDescriptor tcp, dns_tcp, dns_udp;
  BrokerTargets targets;
};

Result<subject::FileDescriptor> loopback_socket(int type, Endpoint& endpoint) {
  subject::FileDescriptor made(socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int one = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (!made.valid() || bind(made.get(), generic, size) != 0 ||
      getsockname(made.get(), generic, &size) != 0 ||
      (type == SOCK_STREAM
           ? listen(made.get(), kLoopbackBacklog)
           : setsockopt(made.get(), IPPROTO_IP, IP_RECVORIGDSTADDR, &one, sizeof one)) != 0)
    return fail(Fault::instrument,
                fmt::format("no socket on {}: {}", kLoopbackHost, strerror(errno)),
                "bring the loopback interface up: ip link set lo up");
  endpoint = {kLoopbackHost, ntohs(address.sin_port)};
  return made;
}

Result<LoopbackSockets> open_loopback_sockets() {
  LoopbackSockets sockets;
  struct Wanted {
    subject::FileDescriptor& socket;
    int type;
    Endpoint& endpoint;
  };
  for (const auto& wanted : {Wanted{sockets.tcp, SOCK_STREAM, sockets.targets.answerer},
                             Wanted{sockets.dns_tcp, SOCK_STREAM, sockets.targets.resolver_tcp},
                             Wanted{sockets.dns_udp, SOCK_DGRAM, sockets.targets.resolver_udp}}) {
    auto opened = loopback_socket(wanted.type, wanted.endpoint);
    if (!opened) return pass_on(std::move(opened.error()));
    wanted.socket = std::move(*opened);
  }
  return sockets;
}

class LandlockSetting final : public Setting {
 public:
  LandlockSetting(SealedPlan plan, LoopbackSockets sockets)
      : plan_(std::move(plan)),
        sockets_(std::move(sockets)),
        broker_(sockets_.targets, plan_.world.keep) {}
  ~LandlockSetting() override {
    if (enclosure_) enclosure_->set_hooks({});
  }

  [[nodiscard]] Result<> make() {
    auto made = make_landlock_enclosure(broker_);
    if (!made) return pass_on(std::move(made.error()));
    enclosure_ = std::move(*made);
    return {};
  }

  [[nodiscard]] subject::Enclosure& enclosure() override { return *enclosure_; }
  [[nodiscard]] std::vector<std::unique_ptr<Observer>> observers(Scene& scene) override;
  void ask(ControlRound& round) override { seal_.ask(round); }
  [[nodiscard]] std::vector<evidence::Control> check(const std::string& when,
                                                     const ControlRound& round) override {
    return seal_.check(when, round);
  }
  [[nodiscard]] bool stays_inside(const Sighting& sighting) const override;
  [[nodiscard]] std::optional<std::string> name_of(const std::string& address) const override {
    return names_.name_of(address);
  }
  [[nodiscard]] bool is_the_tools(const Sighting& sighting) const override {
    return broker_.is_listener({sighting.host, sighting.port});
  }
  [[nodiscard]] ProxyVariables proxy_variables() const override { return plan_.proxy_variables; }
  [[nodiscard]] std::vector<std::string> answered_inside() const override {
    return plan_.answers->played();
  }
  [[nodiscard]] bool leads_to_proxy(const Sighting& sighting) const override {
    return sighting.port != 0 && sighting.port == proxy_port_() && sighting.host == kLoopbackHost;
  }
  // glibc then asks for names by TCP, which can be led to the resolver; of UDP it would not take an
  // answer from another address.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment() const override {
    return {{"RES_OPTIONS", "use-vc"}};
  }
  [[nodiscard]] std::vector<evidence::Limit> limits() const override {
    return {
        {"a program that behaves otherwise without a network, or after this time, was not seen "
         "to; its connections have this tool for their peer, which getpeername(2) shows"}};
  }
  [[nodiscard]] std::vector<evidence::Row> rows() const override {
    auto rows = plan_.answers->rows();
    rows.insert(rows.begin(), answers_row(plan_.answer, plan_.no_such_name));
    return rows;
  }

 private:
  [[nodiscard]] FarSide side() {
    FarSide side;
    side.destination_of = [this](const Endpoint& client, bool udp) {
      return broker_.destination_of(client, udp);
    };
    return side;
  }

  SealedPlan plan_;
  LoopbackSockets sockets_;
  Broker broker_;
  std::unique_ptr<LandlockEnclosure> enclosure_;
  NameTable names_;
  SealControls seal_{false};
  std::function<std::uint16_t()> proxy_port_ = [] { return std::uint16_t{0}; };
};

std::vector<std::unique_ptr<Observer>> LandlockSetting::observers(Scene& scene) {
  std::vector<std::unique_ptr<Observer>> all;
  auto witness = std::make_unique<Witness>(
      scene, [this, &scene](const auto& call, const auto& read, ProcessCache& processes) {
        return broker_.rule(call, read, processes, scene);
      });
  enclosure_->set_hooks(witness_hooks(*witness));
  all.push_back(std::move(witness));
  const auto source = [](const subject::FileDescriptor& socket) {
    return [number = socket.get()] { return number; };
  };
  ResolverPlan names{source(sockets_.dns_udp), source(sockets_.dns_tcp), side(),
                     plan_.no_such_name};
  names.exists = [answers = plan_.answers](const auto& name) { return answers->knows(name); };
  all.push_back(std::make_unique<Resolver>(scene, names_, std::move(names)));
  all.push_back(std::make_unique<Answerer>(
      scene, names_, AnswererPlan{source(sockets_.tcp), side(), plan_.answer, plan_.answers}));
  if (plan_.proxy_variables != ProxyVariables::none) {
    ProxyPlan answering;
    answering.answers = plan_.answers;
    auto proxy = std::make_unique<Proxy>(scene, within_this_network(), std::move(answering));
    proxy_port_ = [port_of = proxy.get()] { return port_of->port(); };
    all.push_back(std::move(proxy));
  }
  all.push_back(std::make_unique<Sampler>(scene, within_this_network(),
                                          Sampler::Company::with_others, proxy_port_));
  return all;
}

// The subject reaching its own listeners; or what the sampler sees of a connection that was led to
// the answerer, which knows where it was to go.
bool LandlockSetting::stays_inside(const Sighting& sighting) const {
  const Endpoint endpoint{
      sighting.address.empty() || sighting.protocol == "dns" ? sighting.host : sighting.address,
      sighting.port};
  const auto& targets = sockets_.targets;
  return endpoint == targets.answerer || endpoint == targets.resolver_tcp ||
         endpoint == targets.resolver_udp || broker_.stays_inside(endpoint);
}

}  // namespace

Result<std::unique_ptr<Setting>> landlock_setting(SealedPlan plan) {
  auto sockets = open_loopback_sockets();
  if (!sockets) return pass_on(std::move(sockets.error()));
  auto setting = std::make_unique<LandlockSetting>(std::move(plan), std::move(*sockets));
  if (auto made = setting->make(); !made) return pass_on(std::move(made.error()));
  return setting;
}

}  // namespace telltale::catcher
