// What one lane says. A lane fills a LaneRecord; conclude() judges it once and for all.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evidence/finding.hpp"
#include "evidence/instant.hpp"
#include "evidence/row.hpp"
#include "evidence/verdict.hpp"

namespace telltale::evidence {

struct Assurance {
  bool reduced = false;
  std::vector<std::string> unseen;  // the ways that nothing in this run could see
};

struct LaneRecord {
  std::string lane;    // "egress", "self", "cipher"
  std::string claim;   // "nothing tried to leave the machine"
  std::string bounds;  // "60 s, 2 launches, this configuration": stands beside the verdict
  Grounds grounds;
  Assurance assurance;
  std::vector<Row> rows;
  std::vector<Table> tables;
  std::vector<Waiver> waivers;
  std::vector<Limit> limits;
  // Counted apart from failures: what was left out on purpose, with its reason.
  std::vector<std::pair<std::string, std::string>> skipped;
  Instant started = now();
};

class LaneResult {
 public:
  [[nodiscard]] const LaneRecord& record() const { return record_; }
  [[nodiscard]] const Judgement& judgement() const { return judgement_; }
  [[nodiscard]] Instant ended() const { return ended_; }
  // "CLEAN: nothing tried to leave the machine (60 s, 2 launches, this configuration)"; any other
  // verdict says what keeps the claim from holding, so that the claim never reads as if it held.
  [[nodiscard]] std::string headline() const;

 private:
  friend LaneResult conclude(LaneRecord record);
  LaneResult(LaneRecord record, Judgement judgement)
      : record_(std::move(record)), judgement_(std::move(judgement)), ended_(now()) {}

  LaneRecord record_;
  Judgement judgement_;
  Instant ended_;
};

// A lane that failed (grounds.failure) keeps its reason, findings, controls and observers and loses
// its rows and tables: a stale or partial number is worse than none.
[[nodiscard]] LaneResult conclude(LaneRecord record);

}  // namespace telltale::evidence
