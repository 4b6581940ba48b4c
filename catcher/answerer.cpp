#include "catcher/answerer.hpp"

#include <fmt/core.h>

#include <set>

#include "catcher/answerer/server.hpp"
#include "catcher/control_round.hpp"
#include "catcher/nonce.hpp"

namespace telltale::catcher {

Answerer::Answerer(Scene& scene, const NameTable& names, AnswererPlan plan)
    : server_(std::make_unique<AnswerServer>(scene, names, std::move(plan))) {}
Answerer::~Answerer() = default;

Result<> Answerer::start(subject::Enclosure&) {
  if (auto started = server_->start(); !started) return started;
  started_ = evidence::now();
  return {};
}

std::string_view Answerer::expected() const {
  return "a caller connects by IPv4 and IPv6 and says a word that nobody knows, and a TLS hello; "
         "each is recorded with what was said";
}

void Answerer::ask(ControlRound& round) {
  auto& server = *server_;
  const auto probes = probes_of(server.plan().probes, server.scene());
  // Of a connection that is refused nothing is read: it is known by where it goes.
  const bool refusing = server.plan().mode == AnswerMode::refuse;
  conversations_.clear();
  const auto add = [&](const char* what, const Endpoint& to, const std::string& word) {
    const auto port = std::to_string(to.port);
    const bool hello = what == std::string_view("hello");
    conversations_.push_back({round.add(hello ? subject::Argv{what, to.address, port, word}
                                              : subject::Argv{what, "tcp", to.address, port, word}),
                              fmt::format("{} {}", what, to.address),
                              refusing ? to.address : word});
  };
  for (const auto& probe : probes) add("say", probe, make_nonce());
  add("hello", probes.front(), make_nonce() + ".example");
  std::set<std::string> marks;
  if (server.plan().tls != nullptr && server.plan().tls->on())
    marks = tls_control_.ask(round, probes);
  for (const auto& conversation : conversations_) marks.insert(conversation.mark);
  if (server.plan().mode == AnswerMode::drop) server.drop_everything(false);
  server.log().expect(std::move(marks));
}

Proof Answerer::check(const ControlRound& round) {
  auto& server = *server_;
  const bool refusing = server.plan().mode == AnswerMode::refuse;
  Proof proof{"recorded"};
  const auto seen = server.log().wait_for_all();
  tls_control_.note(seen);
  for (const auto& [act, what, mark] : conversations_)
    if (const auto& said = round.said(act); !said.heard || (!said.done && !refusing))
      proof.wrong.push_back(fmt::format("{}: {}", what, said.text));
    else if (seen.count(mark) == 0)
      proof.wrong.push_back(fmt::format("{}: not recorded", what));
  server.log().expect({});
  if (server.plan().mode == AnswerMode::drop) server.drop_everything(true);
  return proof;
}

evidence::Control Answerer::check_tls(const std::string& when, const ControlRound& round) const {
  return tls_control_.check(when, round);
}

void Answerer::stop() {
  if (!server_->running()) return;
  server_->stop();
  ended_ = evidence::now();
}

std::vector<Sighting> Answerer::sightings() const {
  return server_->log().all();
}

evidence::ObserverRecord Answerer::record() const {
  const bool dropping = server_->plan().mode == AnswerMode::drop;
  evidence::ObserverRecord record;
  record.name = "answerer";
  record.role = dropping ? evidence::Role::corroboration : evidence::Role::proof;
  record.sees = dropping ? "nothing but its controls: connections are dropped before it"
                         : "every TCP connection, where it was to go, and what it said first";
  record.misses = "what is no TCP; what a program would say later";
  record.started = started_;
  record.ended = ended_;
  record.lost = server_->log().lost();
  if (ended_) record.failure = server_->failure();
  return record;
}

std::vector<evidence::Row> Answerer::rows(const evidence::HostStamp&) const {
  return {{"connections answered", static_cast<std::int64_t>(server_->log().count()), "",
           fmt::format("controls left out; answer mode {}", word_of(server_->plan().mode))}};
}

}  // namespace telltale::catcher
