#include "catcher/control_round.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "catcher/nonce.hpp"
#include "catcher/socket_diagnostics.hpp"

namespace telltale::catcher {

namespace {

using RoundClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kRoundLimit{10};
constexpr subject::Milliseconds kOwnEnd{1'000};
constexpr std::size_t kLineLimit = 4096;

subject::Argv words_of(const Stimulus& stimulus) {
  if (stimulus.protocol == "icmp") return {"ping", stimulus.host, make_nonce()};
  subject::Argv words{stimulus.protocol, stimulus.host, std::to_string(stimulus.port)};
  if (stimulus.protocol == "udp") words.push_back(make_nonce());
  return words;
}

}  // namespace

std::string Stimulus::text() const {
  if (port == 0) return fmt::format("{} to {}", protocol, host);
  return fmt::format("{} to {}", protocol, catcher::text(Endpoint{host, port}));
}

ControlRound::~ControlRound() {
  if (process_) (void)process_->wait(kOwnEnd);
}

ControlRound::Act ControlRound::add(subject::Argv act) {
  acts_.push_back({std::move(act), {false, false, "the caller said nothing of it"}});
  ++silent_;
  return acts_.size() - 1;
}

void ControlRound::add_stimuli() {
  if (!stimuli_.empty()) return;
  first_stimulus_ = acts_.size();
  for (const char* protocol : {"tcp", "udp", "icmp"})
    for (const bool six : {false, true}) {
      const bool ping = protocol == std::string_view("icmp");
      Stimulus stimulus{protocol, nonce_address(six), ping ? std::uint16_t{0} : nonce_port(), 0};
      expect_at(stimulus.host, stimulus.port);
      add(words_of(stimulus));
      stimuli_.push_back(std::move(stimulus));
    }
}

void ControlRound::run() {
  if (acts_.empty()) return;
  subject::Argv arguments{"round"};
  for (const auto& [words, said] : acts_) {
    if (arguments.size() > 1) arguments.emplace_back("--");
    arguments.insert(arguments.end(), words.begin(), words.end());
  }
  auto started = caller_.start(arguments, std::move(input_));
  if (!started) {
    for (auto& act : acts_) act.said.text = started.error().what;
    return;
  }
  process_ = std::move(started->process);
  hear(started->output.get());
  ended_ = RoundClock::now();
  if (silent_ > 0)
    if (const auto exit = process_->wait(kOwnEnd))
      for (auto& act : acts_)
        if (!act.said.heard) act.said.text = "the caller ended with " + exit->text();
  note_client_ports();
}

void ControlRound::hear(int output) {
  const auto end = RoundClock::now() + kRoundLimit;
  std::string text;
  std::array<char, 4096> part{};
  while (silent_ > 0 && text.size() < kLineLimit) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - RoundClock::now());
    pollfd waiting{output, POLLIN, 0};
    if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) <= 0) return;
    const auto bytes = read(output, part.data(), part.size());
    if (bytes <= 0) return;
    text.append(part.data(), static_cast<std::size_t>(bytes));
    std::size_t from = 0;
    for (auto to = text.find('\n'); to != std::string::npos; to = text.find('\n', from)) {
      hear_line(text.substr(from, to - from));
      from = to + 1;
    }
    text.erase(0, from);
  }
}

// "NUMBER done TEXT", "NUMBER failed REASON"
void ControlRound::hear_line(const std::string& line) {
  Act number = 0;
  const auto* end = line.data() + line.size();
  const auto [at, error] = std::from_chars(line.data(), end, number);
  if (error != std::errc{} || number >= acts_.size() || acts_[number].said.heard) return;
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  constexpr std::string_view kDone = " done ", kFailed = " failed ";
  const bool done = rest.starts_with(kDone);
  if (!done && !rest.starts_with(kFailed)) return;
  acts_[number].said = {true, done, std::string(rest.substr(done ? kDone.size() : kFailed.size()))};
  --silent_;
}

// Each act of the stimuli says "WORD LOCAL-PORT".
void ControlRound::note_client_ports() {
  for (std::size_t i = 0; i < stimuli_.size(); ++i) {
    const auto& text = said(first_stimulus_ + i).text;
    const auto space = std::min(text.find(' '), text.size() - 1);
    std::from_chars(text.data() + space + 1, text.data() + text.size(), stimuli_[i].client_port);
  }
}

pid_t ControlRound::caller() const {
  return process_ ? process_->pid() : 0;
}

std::string ControlRound::stimuli_failure() const {
  for (std::size_t i = 0; i < stimuli_.size(); ++i)
    if (const auto& answer = said(first_stimulus_ + i); !answer.done)
      return fmt::format("the caller's {} did not happen: {}", stimuli_[i].text(), answer.text);
  return {};
}

}  // namespace telltale::catcher
