// The seal's own controls: what must not work from inside, tried from inside.
//
// Theory of operation. A refusal alone proves little (a connection to an address of this machine is
// even accepted inside, by the world), so each control has a real listener of the tool in the
// machine's own network, and what counts is that nothing came to it. The control caller is started
// like the subject, and its own account of what it did is quoted.
#pragma once

#include <string>
#include <vector>

#include "catcher/control_round.hpp"
#include "evidence/control.hpp"

namespace telltale::catcher {

// Negative controls, all of them for every sealed run:
//   "seal: loopback, WHEN"      a listener on the machine's 127.0.0.1 is not reached
//   "seal: own address, WHEN"   one on another address of the machine is not reached; on a machine
//                               without one, on 127.0.0.2
//   "seal: network, WHEN"       setns(2) to the machine's network namespace is refused, with a
//                               descriptor of it in hand
class SealControls {
 public:
  // Without a network of its own, an enclosure claims the first two only.
  explicit SealControls(bool own_network = true) : own_network_(own_network) {}
  // From a thread in the machine's own network.
  void ask(ControlRound& round);
  // After the round. What got out may take a moment to arrive: 10 ms, from the end of the round.
  [[nodiscard]] std::vector<evidence::Control> check(const std::string& when,
                                                     const ControlRound& round);

 private:
  // A listener of the machine and the act that must not reach it.
  struct Listening {
    std::string what, address;
    subject::FileDescriptor socket;
    std::string failure;  // why there is none
    ControlRound::Act act = 0;
  };

  void add_listener(const std::string& what, const std::string& address, ControlRound& round);

  bool own_network_;
  std::vector<Listening> listening_;
  std::string network_failure_;
  ControlRound::Act enter_ = 0;
};

}  // namespace telltale::catcher
