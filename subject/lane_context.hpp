// What every lane is given beside the specification. One run makes one and hands it to each lane.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evidence/evidence_folder.hpp"
#include "evidence/host_stamp.hpp"
#include "evidence/lane_result.hpp"
#include "evidence/mask.hpp"
#include "evidence/results.hpp"
#include "evidence/subject_stamp.hpp"
#include "evidence/waivers.hpp"
#include "subject/enclosure.hpp"
#include "subject/interruption.hpp"
#include "subject/launch.hpp"

namespace telltale::subject {

struct LaneContext {
  Enclosure& enclosure;
  const Interruption& interruption;
  const evidence::HostStamp& host;
  evidence::Masker& masker;
  evidence::Waivers& waivers;              // `waive:` of the file and of the command line
  evidence::Waivers& allow;                // `egress: allow:`
  std::filesystem::path scratch;           // of this run; every launch makes its own folder in it
  const evidence::EvidenceFolder* folder;  // nullptr: nothing is kept
  std::filesystem::path binary{};          // built or named by the file; empty: argv[0] says it
  std::optional<BuildReport> built{};      // when subject.yaml has a build command

  // What happens, in a line, for somebody who watches: safe from any thread; empty: nobody does.
  std::function<void(const std::string& line)> tell{};

  // Of the first launch, for the results: what it was given, and the files that were executed.
  std::vector<evidence::GivenVariable> environment{};
  std::vector<std::string> environment_removed{};
  std::vector<evidence::ExecutedFile> executed{};

  // raw/log/LANE-NAME.log of the evidence folder; in the scratch folder when nothing is kept.
  [[nodiscard]] Result<std::filesystem::path> log_for(const std::string& lane,
                                                      const std::string& name) const;

  // The launch's secrets are masked from here on, and its environment goes into the results.
  // Fault::input for a secret too short to be masked.
  [[nodiscard]] Result<> learn(const Launch& launch);

  // What ended a lane early goes into its grounds: a failure, or the signal.
  void note(const Error& error, evidence::LaneRecord& record) const;
  // Judges the lane. A signal that came while the subject was being stopped, which it does not
  // shorten, still makes the lane an interrupted one.
  [[nodiscard]] evidence::LaneResult conclude(evidence::LaneRecord record) const;
};

}  // namespace telltale::subject
