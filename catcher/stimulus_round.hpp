// The controls of the observers that look at the network: one caller, in the subject's place, that
// sends one of each sort to addresses that nobody else can have chosen. One round serves every
// observer that asks for the same `when`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catcher/control_caller.hpp"
#include "evidence/result.hpp"

namespace telltale::catcher {

struct Stimulus {
  std::string protocol;  // "tcp", "udp", "icmp"
  std::string host;      // numeric, documentation addresses (RFC 5737, RFC 3849)
  std::uint16_t port = 0;
  std::uint16_t client_port = 0;           // the caller's; 0: icmp
  [[nodiscard]] std::string text() const;  // "udp to [2001:db8::1]:40000"
};

// Only for a world without a way out: the addresses are real ones on a real network.
class StimulusRound {
 public:
  explicit StimulusRound(Scene& scene) : scene_(scene) {}

  // TCP, UDP and ICMP over IPv4 and IPv6, done, each confirmed by its own return value. A failed
  // one is Fault::instrument and named. The scene knows the addresses (Scene::is_control).
  [[nodiscard]] Result<std::vector<Stimulus>> at(const std::string& when, ControlCaller& caller);

 private:
  Scene& scene_;
  std::string when_;
  Result<std::vector<Stimulus>> done_;
};

}  // namespace telltale::catcher
