// The companions of one launch: services that the subject needs, as processes beside it.
//
// Each is started like a subject (subject/launch.hpp) in the same world, with folders of its own,
// before the subject's own set-up, and stopped after it; it has to stay in the foreground, since a
// daemon cannot be told from what the subject detaches. The subject finds it by the resolver
// (companion_place.hpp). Whose an act was is known from the filter of the witness, which every
// descendant inherits, and for what the witness does not see by the process trees while they live.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catcher/companion_place.hpp"
#include "catcher/scene.hpp"
#include "evidence/lane_result.hpp"
#include "subject/enclosure.hpp"
#include "subject/lane_context.hpp"
#include "subject/launch.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

// Sighting::party of a companion: "companion db".
[[nodiscard]] std::string companion_party(const std::string& name);

class Companions {
 public:
  struct World {
    subject::Enclosure& enclosure;
    Scene& scene;
    const std::vector<CompanionPlace>& places;
  };

  // Starts each in the order of the file and waits until it is ready. `launch` is "launch 1", for
  // the logs. The first that fails ends it, as the fault of the subject: "companion db: ...".
  [[nodiscard]] Result<> start(const subject::Specification& specification, World world,
                               const std::string& launch, subject::LaneContext& context);
  // One that ended by itself meanwhile; else nothing.
  [[nodiscard]] Result<> check();
  // The last first. A row for each: how it ended.
  void stop(const std::string& launch, evidence::LaneRecord& record);

 private:
  struct Running {
    std::string party;
    std::unique_ptr<subject::Launch> launch;
  };
  [[nodiscard]] Result<> start_one(const subject::Specification& specification,
                                   const subject::Companion& companion, const CompanionPlace& place,
                                   const World& world, const std::string& launch,
                                   subject::LaneContext& context);

  std::vector<Running> running_;
  Scene* scene_ = nullptr;
};

}  // namespace telltale::catcher
