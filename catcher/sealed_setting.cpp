#include <fmt/core.h>

#include "catcher/agreement.hpp"
#include "catcher/answerer.hpp"
#include "catcher/answering_plans.hpp"
#include "catcher/capture/tap.hpp"
#include "catcher/closed_sockets.hpp"
#include "catcher/datagram_sink.hpp"
#include "catcher/ledger/ledger.hpp"
#include "catcher/proxy.hpp"
#include "catcher/resolver.hpp"
#include "catcher/sampler.hpp"
#include "catcher/setting.hpp"
#include "catcher/view_limits.hpp"
#include "catcher/witness/start_hook.hpp"
#include "catcher/witness/witness.hpp"
#include "catcher/world/seal_controls.hpp"
#include "catcher/world/sealed_enclosure.hpp"

namespace telltale::catcher {

namespace {

class SealedSetting final : public Setting {
 public:
  SealedSetting(SealedPlan plan, std::unique_ptr<SealedEnclosure> enclosure)
      : plan_(std::move(plan)), enclosure_(std::move(enclosure)) {}
  ~SealedSetting() override { enclosure_->set_hooks({}); }

  [[nodiscard]] subject::Enclosure& enclosure() override { return *enclosure_; }
  [[nodiscard]] evidence::Assurance assurance() override;
  [[nodiscard]] std::vector<std::unique_ptr<Observer>> observers(Scene& scene) override;
  void ask(ControlRound& round) override { seal_.ask(round); }
  [[nodiscard]] std::vector<evidence::Control> check(const std::string& when,
                                                     const ControlRound& round) override;
  [[nodiscard]] Result<std::vector<evidence::Control>> after_stop() override;
  [[nodiscard]] bool stays_inside(const Sighting& sighting) const override;
  [[nodiscard]] std::optional<std::string> name_of(const std::string& address) const override {
    return names_.name_of(address);
  }
  [[nodiscard]] bool is_the_tools(const Sighting& sighting) const override {
    return sighting.host == kWorldAddress4;
  }
  [[nodiscard]] bool leads_to_proxy(const Sighting& sighting) const override {
    return sighting.port != 0 && sighting.port == proxy_port_() && sighting.host == kWorldAddress4;
  }
  [[nodiscard]] Result<> read_tls(bool on) override { return on ? tls_.begin() : tls_.end(); }
  [[nodiscard]] subject::Pairs tls_environment(const subject::Pairs& own) const override {
    return RunTrust::environment(own);
  }
  [[nodiscard]] std::vector<OverlaidFolder> overlaid() const override {
    return enclosure_->world().overlaid();
  }
  [[nodiscard]] ProxyVariables proxy_variables() const override { return plan_.proxy_variables; }
  [[nodiscard]] const std::vector<CompanionPlace>& companions() const override {
    return plan_.companions;
  }
  [[nodiscard]] const CompanionPlace* companion_at(const Sighting& sighting) const override {
    if (sighting.protocol == "dns") return place_named(sighting.host, plan_.companions);
    const auto& address = sighting.address.empty() ? sighting.host : sighting.address;
    return place_at(address, sighting.port, plan_.companions);
  }
  [[nodiscard]] SentValues* sent_values() const override { return sent_; }
  [[nodiscard]] std::vector<std::string> answered_inside() const override {
    return plan_.answers->played();
  }
  [[nodiscard]] std::vector<evidence::Limit> limits() const override {
    std::vector<evidence::Limit> limits = {
        {"a path socket of a daemon of this machine, at a path that the subject can see, is "
         "reached; the witness tells of it"},
        {"AF_VSOCK sockets of 32-bit programs, and whatever a hole in the kernel lets through, "
         "are not held"},
        {"a program that behaves otherwise without a network, or after this time, was not seen "
         "to"}};
    if (auto missing = missing_ids()) limits.push_back({std::move(*missing)});
    for (auto& limit : view_limits(enclosure_->world())) limits.push_back(std::move(limit));
    return limits;
  }
  [[nodiscard]] std::vector<evidence::Row> rows() const override {
    auto rows = plan_.answers->rows();
    rows.insert(rows.begin(), answers_row(plan_.answer, plan_.no_such_name));
    return rows;
  }

 private:
  void add_answering(Scene& scene, std::vector<std::unique_ptr<Observer>>& all);
  [[nodiscard]] ProxyPlan proxy_plan() const;
  [[nodiscard]] Within in_world() {
    return [this](const World::Work& work) { return enclosure_->world().in_world(work); };
  }
  [[nodiscard]] Within in_subject() {
    return [this](const World::Work& work) { return enclosure_->world().in_subject(work); };
  }

  SealedPlan plan_;
  std::unique_ptr<SealedEnclosure> enclosure_;
  NameTable names_;
  SealControls seal_;
  TlsPass tls_{[this](const World::Work& work) { return enclosure_->world().in_mounts(work); }};
  // Of observers(), whose owner keeps them as long as it asks anything of the setting.
  Tap* tap_ = nullptr;
  Answerer* answerer_ = nullptr;
  Ledger* ledger_ = nullptr;
  ClosedSockets* closed_ = nullptr;
  SentValues* sent_ = nullptr;
  std::function<std::uint16_t()> proxy_port_ = [] { return std::uint16_t{0}; };
};

evidence::Assurance SealedSetting::assurance() {
  auto assurance = enclosure_->assurance();
  if (plan_.witness) return assurance;
  assurance.reduced = true;
  for (const char* way :
       {"the path socket of a daemon of this machine (there is no witness)",
        "a refused raw, packet or vsock socket, and a refused setns (there is no witness)",
        "which program it was, where its socket was gone before it was looked up (there is no "
        "witness)"})
    assurance.unseen.emplace_back(way);
  return assurance;
}

std::vector<std::unique_ptr<Observer>> SealedSetting::observers(Scene& scene) {
  std::vector<std::unique_ptr<Observer>> all;
  ClosedSockets::Owner owner_of;
  if (plan_.witness) {
    auto witness = std::make_unique<Witness>(scene);
    owner_of = [owners = witness.get()](std::uint64_t cookie) { return owners->owner_of(cookie); };
    enclosure_->set_hooks(witness_hooks(*witness));
    all.push_back(std::move(witness));
  }
  // The others feed it: it is stopped last.
  const bool connections = plan_.answer != AnswerMode::refuse && plan_.answer != AnswerMode::drop;
  auto sent =
      plan_.search ? std::make_unique<SentValues>(scene, plan_.search, connections) : nullptr;
  sent_ = sent.get();
  auto tap = std::make_unique<Tap>(scene, TapPlan{in_world(), kWorldLink, plan_.capture, sent_});
  auto ledger = std::make_unique<Ledger>(scene, in_world(), kWorldLink);
  auto closed =
      std::make_unique<ClosedSockets>(scene, in_subject(), std::move(owner_of),
                                      [begun = ledger.get()] { return begun->openings(); });
  tap_ = tap.get();
  ledger_ = ledger.get();
  closed_ = closed.get();
  all.push_back(std::move(tap));
  all.push_back(std::move(ledger));
  all.push_back(std::move(closed));
  add_answering(scene, all);
  if (plan_.proxy_variables != ProxyVariables::none) {
    auto proxy = std::make_unique<Proxy>(scene, in_subject(), proxy_plan());
    proxy_port_ = [port_of = proxy.get()] { return port_of->port(); };
    all.push_back(std::move(proxy));
  }
  all.push_back(
      std::make_unique<Sampler>(scene, in_subject(), Sampler::Company::with_others, proxy_port_));
  if (sent != nullptr) all.push_back(std::move(sent));
  return all;
}

void SealedSetting::add_answering(Scene& scene, std::vector<std::unique_ptr<Observer>>& all) {
  auto& world = enclosure_->world();
  auto names = resolver_plan(world, plan_.no_such_name);
  names.exists = [answers = plan_.answers](const auto& name) { return answers->knows(name); };
  names.inside = [this](const auto& name) {
    const auto* place = place_named(name, plan_.companions);
    return place == nullptr ? std::string() : place->address;
  };
  names.sent = sent_;
  all.push_back(std::make_unique<Resolver>(scene, names_, std::move(names)));
  auto connections = answerer_plan(world, plan_.answer);
  connections.answers = plan_.answers;
  connections.sent = sent_;
  connections.tls = &tls_;
  auto answerer = std::make_unique<Answerer>(scene, names_, std::move(connections));
  answerer_ = answerer.get();
  all.push_back(std::move(answerer));
  auto packets = datagram_sink_plan(world);
  packets.sent = sent_;
  all.push_back(std::make_unique<DatagramSink>(scene, names_, std::move(packets)));
}

// A companion is reached as the subject itself is: without the proxy.
ProxyPlan SealedSetting::proxy_plan() const {
  ProxyPlan plan;
  plan.answers = plan_.answers;
  plan.sent = sent_;
  for (const auto& place : plan_.companions) plan.direct.push_back(place.host);
  return plan;
}

std::vector<evidence::Control> SealedSetting::check(const std::string& when,
                                                    const ControlRound& round) {
  auto controls = seal_.check(when, round);
  if (tls_.on()) controls.push_back(answerer_->check_tls(when, round));
  return controls;
}

Result<std::vector<evidence::Control>> SealedSetting::after_stop() {
  const auto commented = tap_->comment([this](const FlowKey& flow) -> std::string {
    const auto owner = closed_->owner_of(flow);
    return owner ? fmt::format("process {}: {}", owner->pid, owner->executable) : "";
  });
  if (!commented) return pass_on(commented.error());
  return std::vector{agreement_control({ledger_->counts(), tap_->flows(), closed_->tcp_counts()})};
}

// Loopback is topology, not an address: it is the subject's own in a network namespace of its own.
bool SealedSetting::stays_inside(const Sighting& sighting) const {
  const auto& address =
      sighting.address.empty() || sighting.protocol == "dns" ? sighting.host : sighting.address;
  return address.starts_with("127.") || address == "::1" || address == kSubjectAddress4 ||
         address == kSubjectAddress6 || address == "0.0.0.0" || address == "::";
}

}  // namespace

Result<std::unique_ptr<Setting>> sealed_setting(SealedPlan plan) {
  plan.world.ids = plan.changes_user ? Ids::all : Ids::own;
  auto enclosure = make_sealed_enclosure(plan.world);
  if (!enclosure) return pass_on(std::move(enclosure.error()));
  return std::make_unique<SealedSetting>(std::move(plan), std::move(*enclosure));
}

}  // namespace telltale::catcher
