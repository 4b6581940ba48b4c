// Which launches an egress run of a subject.yaml has, and what its headline says of them.
#pragma once

#include <string>
#include <vector>

#include "catcher/setting.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

// One start of the subject, from the first control to the last.
struct Start {
  int number;                             // from 1
  std::string note;                       // " (phase socket)"
  const subject::Difference* difference;  // nullptr: none
  std::string phase;                      // whose doors are asked; empty: those of every phase
  bool proxy_variables;                   // it is given them
  bool reads_tls = false;

  [[nodiscard]] std::string name() const;  // "launch 4 (phase socket)"
};

// The plain ones, the one with proxy variables, one a phase, and the one that reads TLS, in this
// order. It points into `specification`.
[[nodiscard]] std::vector<Start> starts_of(const subject::Specification& specification,
                                           ProxyVariables how_proxied);

// "12 s, 2 launches, 1 with proxy variables and 1 of a phase".
[[nodiscard]] std::string launches_in_words(const subject::Specification& specification,
                                            ProxyVariables how_proxied);

// ", answered inside: idp.example:80 by the file"; empty when nothing was.
[[nodiscard]] std::string answered_in_words(const std::vector<std::string>& servers);

}  // namespace telltale::catcher
