// Which moment of the run it was when something happened: for observers that learn of it later.
#pragma once

#include <chrono>
#include <memory>

#include "catcher/scene.hpp"

namespace telltale::catcher {

// Thread-safe. Follows the scene from its making on; may be gone before the scene.
class MomentLog {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit MomentLog(Scene& scene);
  [[nodiscard]] Moment at(Time time) const;

 private:
  struct Past;
  Scene& scene_;
  std::shared_ptr<Past> past_;
};

}  // namespace telltale::catcher
