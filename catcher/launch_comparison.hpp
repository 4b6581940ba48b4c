// What one launch did and another did not: telemetry is often silent, or only loud, the first time,
// and proxy variables change what some programs do.
//
// Compared by destination, whatever the program and whether the proxy was asked or not. Launches of
// a phase and deliberate ones (an upstream control) are not compared: they differ on purpose.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catcher/attempt.hpp"
#include "evidence/row.hpp"

namespace telltale::catcher {

// The launches that came to their end.
struct ComparedLaunches {
  std::set<int> plain;            // without proxy variables, in order
  std::optional<int> with_proxy;  // the one that had them
};

class LaunchComparison {
 public:
  LaunchComparison(ComparedLaunches launches, const std::vector<Attempt>& attempts);

  // "only in the first launch", "only with proxy variables"; empty: in all that are compared.
  [[nodiscard]] std::string of(const Attempt& attempt) const;
  // One for each destination that differs, or one that says that none does; none for one launch.
  [[nodiscard]] std::vector<evidence::Row> rows() const;

 private:
  [[nodiscard]] std::string difference(const std::set<int>& seen) const;

  ComparedLaunches launches_;
  std::map<std::string, std::set<int>> seen_;  // by destination: launches that are compared
};

}  // namespace telltale::catcher
