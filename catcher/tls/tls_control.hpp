// The control of the pass that reads TLS. A caller of ours with the subject's environment asks for
// a word that nobody knows inside TLS, by HTTP/1.1 and by HTTP/2, trusting nothing but what that
// environment names. Held when both words stand in the record: then the authority is given, taken,
// and what it opens is read.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "catcher/control_round.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "evidence/control.hpp"

namespace telltale::catcher {

class TlsControl {
 public:
  // `probes` lead to who reads. The words that must then stand in its record.
  [[nodiscard]] std::set<std::string> ask(ControlRound& round, const std::vector<Endpoint>& probes);
  // Those that do, and others.
  void note(std::set<std::string> seen) { seen_ = std::move(seen); }
  // After the round. "TLS reading, WHEN".
  [[nodiscard]] evidence::Control check(const std::string& when, const ControlRound& round) const;

 private:
  struct Request {
    ControlRound::Act act;
    std::string version, word;
  };
  std::vector<Request> requests_;
  std::set<std::string> seen_;
};

}  // namespace telltale::catcher
