// The verdict is computed, here and nowhere else.
//
// A lane collects grounds: the controls that its claim requires, the controls that ran, its
// observers, its findings, what it did not look at. judge() turns them into a Judgement. A
// Judgement has no other way to be made, so CLEAN with a control missing cannot be constructed.
//
//   interrupted                                             -> INTERRUPTED
//   at least one finding that stands                        -> FINDINGS
//   the lane failed, a required control is missing or did
//   not hold, any control did not hold, an observer did not
//   run to the end or lost records, no observer is proof, no
//   positive control was pointed at one that is, nothing was
//   examined, something unexamined is not waived            -> NOT EVIDENCE
//   else                                                    -> CLEAN
//
// A finding stands unless a control that it rests on is missing or did not hold; one that does not
// stand is no finding, and no CLEAN either: it is NOT EVIDENCE.
//
// A positive control names the observer whose sight it proves. One without a name proves no sight:
// it is a condition of the lane ("every door answered"), and blocks CLEAN like any other when it
// broke.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/control.hpp"
#include "evidence/exit_status.hpp"
#include "evidence/finding.hpp"
#include "evidence/observer.hpp"

namespace telltale::evidence {

enum class Verdict { clean, findings, not_evidence, interrupted };

// "CLEAN", "FINDINGS", "NOT EVIDENCE", "INTERRUPTED"
[[nodiscard]] std::string_view name(Verdict verdict);

struct Grounds {
  std::vector<std::string> required_controls;  // by name; an empty list can never be CLEAN
  std::vector<Control> controls;
  std::vector<ObserverRecord> observers;
  std::vector<Finding> findings;
  std::vector<Unexamined> unexamined;
  std::uint64_t examined = 0;  // modules asked, files searched, calls made; 0 is not evidence
  std::string examined_unit;   // "modules asked"
  std::string failure;         // why the lane could not be carried out; empty: it was
  int interrupted_by = 0;      // SIGINT or SIGTERM, else 0
};

class Judgement {
 public:
  [[nodiscard]] Verdict verdict() const { return verdict_; }
  // Why it is not CLEAN, most important first, one sentence each. FINDINGS name failed observers
  // too.
  [[nodiscard]] const std::vector<std::string>& reasons() const { return reasons_; }
  [[nodiscard]] int interrupted_by() const { return interrupted_by_; }

 private:
  friend Judgement judge(const Grounds& grounds);
  Judgement() = default;

  Verdict verdict_ = Verdict::not_evidence;
  std::vector<std::string> reasons_;
  int interrupted_by_ = 0;
};

[[nodiscard]] Judgement judge(const Grounds& grounds);

// Every control that the finding rests on ran and held.
[[nodiscard]] bool stands(const Grounds& grounds, const Finding& finding);
// The required controls that did not run, by name.
[[nodiscard]] std::vector<std::string> missing_controls(const Grounds& grounds);

// Every control that the finding rests on ran and held.
[[nodiscard]] bool stands(const Grounds& grounds, const Finding& finding);
// The required controls that did not run, by name.
[[nodiscard]] std::vector<std::string> missing_controls(const Grounds& grounds);

// What the user accepted on the command line.
struct Acceptance {
  bool reduced = false;   // --accept-reduced: CLEAN under reduced assurance exits 0
  bool advisory = false;  // --advisory: FINDINGS exits 0
};

[[nodiscard]] ExitStatus exit_status(const Judgement& judgement, bool reduced_assurance,
                                     Acceptance acceptance);

// Of several lanes: interrupted before findings before not evidence before clean.
[[nodiscard]] ExitStatus worst(ExitStatus a, ExitStatus b);

}  // namespace telltale::evidence
