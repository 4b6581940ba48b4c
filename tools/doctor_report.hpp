// What `telltale doctor` found, and how it is said.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "catcher/doctor/mechanisms.hpp"
#include "evidence/control.hpp"
#include "evidence/exit_status.hpp"
#include "evidence/lane_result.hpp"

namespace telltale::tools {

struct Diagnosis {
  std::string user;  // as whom it was tried: "root", "nobody"
  std::vector<catcher::Examined> mechanisms;
  // Of the setting that was tried: the sealed one, or else the one without namespaces; empty: none
  // could be.
  std::string tried;
  Result<std::vector<evidence::Control>> controls;  // its observers', each with its control
  evidence::Assurance assurance;                    // that a run in it would have

  [[nodiscard]] bool observers_hold() const;
  [[nodiscard]] bool sealed() const;
  // CLEAN's where a sealed run would work, else NOT EVIDENCE's.
  [[nodiscard]] evidence::ExitStatus status() const;
};

inline constexpr auto kSealedTried = "sealed";
inline constexpr auto kLandlockTried = "landlock";

void write_text(const Diagnosis& diagnosis, bool color, std::ostream& out);
[[nodiscard]] nlohmann::json to_json(const Diagnosis& diagnosis);

}  // namespace telltale::tools
