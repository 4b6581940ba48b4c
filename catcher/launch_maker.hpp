// Makes the launches of one egress run ready: what each is given besides what the file says (proxy
// variables, canaries, the run's authority while TLS is read), and what is looked for in what it
// sends. Launches share one HOME: the first start is special in many programs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "catcher/companions.hpp"
#include "catcher/control_caller.hpp"
#include "catcher/watch.hpp"
#include "subject/lane_context.hpp"
#include "subject/launch.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

class LaunchMaker {
 public:
  // All outlive it.
  LaunchMaker(const subject::Specification& specification, subject::LaneContext& context,
              Watch& watch)
      : specification_(specification), context_(context), watch_(watch) {}

  // The program of the control callers, once a run.
  [[nodiscard]] Result<> install();

  // The companions run from before the subject's set-up, which may need them. The phase is
  // "set-up", here and in prepare().
  [[nodiscard]] Result<> start(Companions& companions, int number, const std::string& name);
  // `difference`: nullptr for none.
  [[nodiscard]] Result<std::unique_ptr<subject::Launch>> prepare(
      int number, const std::string& name, const subject::Difference* difference);
  [[nodiscard]] ControlCaller caller_for(const subject::Launch& launch) const;

  // What launches are given from now on so that they trust the run's authority.
  [[nodiscard]] subject::Pairs& trust() { return trust_; }

 private:
  const subject::Specification& specification_;
  subject::LaneContext& context_;
  Watch& watch_;
  std::filesystem::path caller_;
  subject::Pairs trust_;
};

}  // namespace telltale::catcher
