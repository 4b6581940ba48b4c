#include "catcher/stimulus_round.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "catcher/nonce.hpp"
#include "catcher/socket_diagnostics.hpp"

namespace telltale::catcher {

namespace {

subject::Argv act_of(const Stimulus& stimulus, const std::string& nonce) {
  if (stimulus.protocol == "icmp") return {"ping", stimulus.host, nonce};
  subject::Argv act{stimulus.protocol, stimulus.host, std::to_string(stimulus.port)};
  if (stimulus.protocol == "udp") act.push_back(nonce);
  return act;
}

Result<std::vector<Stimulus>> run(Scene& scene, ControlCaller& caller) {
  std::vector<Stimulus> all;
  subject::Argv arguments{"all"};
  for (const char* protocol : {"tcp", "udp", "icmp"})
    for (const bool six : {false, true}) {
      const bool ping = protocol == std::string_view("icmp");
      Stimulus stimulus{protocol, nonce_address(six), ping ? std::uint16_t{0} : nonce_port(), 0};
      scene.add_control(stimulus.host, stimulus.port);
      if (!all.empty()) arguments.emplace_back("--");
      const auto act = act_of(stimulus, make_nonce());
      arguments.insert(arguments.end(), act.begin(), act.end());
      all.push_back(std::move(stimulus));
    }
  const auto report = caller.run(arguments);
  if (!report) return pass_on(report.error());
  std::istringstream lines(report->output);
  for (auto& stimulus : all) {
    std::string line;
    std::getline(lines, line);
    unsigned port = 0;
    std::array<char, 16> word{};
    if (line.rfind("failed", 0) == 0 ||
        std::sscanf(line.c_str(), "%15s %u", word.data(), &port) != 2)
      return fail(Fault::instrument,
                  fmt::format("the caller's {} did not happen: it said \"{}\" and ended with {}",
                              stimulus.text(), line, report->exit.text()));
    stimulus.client_port = static_cast<std::uint16_t>(port);
  }
  return all;
}

}  // namespace

std::string Stimulus::text() const {
  if (port == 0) return fmt::format("{} to {}", protocol, host);
  return fmt::format("{} to {}", protocol, catcher::text(Endpoint{host, port}));
}

Result<std::vector<Stimulus>> StimulusRound::at(const std::string& when, ControlCaller& caller) {
  if (when_ != when) {
    when_ = when;
    done_ = run(scene_, caller);
  }
  return done_;
}

}  // namespace telltale::catcher
