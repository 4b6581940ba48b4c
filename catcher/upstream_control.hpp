// `egress: control`: the same program with its upstream switched on must be seen. That shows that
// the observers can see this program at all.
#pragma once

#include "catcher/launch_maker.hpp"
#include "evidence/lane_result.hpp"

namespace telltale::catcher {

class UpstreamControl {
 public:
  // All outlive it. The specification has a control.
  UpstreamControl(const subject::Specification& specification, subject::LaneContext& context,
                  Watch& watch, LaunchMaker& maker)
      : specification_(specification), context_(context), watch_(watch), maker_(maker) {}

  // One launch, until something of it is seen or the window is over; the control goes into the
  // record. Fault::interrupted only.
  [[nodiscard]] Result<> run(int number, evidence::LaneRecord& record);

 private:
  [[nodiscard]] Result<> launch(int number, const std::string& name, evidence::LaneRecord& record);
  [[nodiscard]] Result<> drive_until_seen(int number, subject::Launch& launch);

  const subject::Specification& specification_;
  subject::LaneContext& context_;
  Watch& watch_;
  LaunchMaker& maker_;
};

}  // namespace telltale::catcher
