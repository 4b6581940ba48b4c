// The egress lane: does this program, in its default configuration, try to send anything off the
// machine?
//
// One launch: prepare, prove the observers, start, drive every door, idle until the window is over,
// stop, prove the observers again. The observers run from before the first launch until after the
// last. Launches share one HOME and have no proxy variables; sealed, one more has them, and what
// one did and another did not is told (launch_comparison.hpp). With `egress: companions` the
// services that the subject needs run beside it. With `egress: control`, one more launch has its
// upstream switched on and must be seen; with `egress: read_tls`, one more is given the authority
// of the run, and what it says inside TLS is read. `setting` is where all of it takes place.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "catcher/environment_matrix.hpp"
#include "catcher/setting.hpp"
#include "evidence/lane_result.hpp"
#include "subject/lane_context.hpp"
#include "subject/launch.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

[[nodiscard]] evidence::LaneResult run_egress(const subject::Specification& specification,
                                              subject::LaneContext& context, Setting& setting);

// egress -- COMMAND [ARG...]
struct CommandRun {
  subject::Argv command;
  // A command that stays is stopped after so long without being driven; empty: it must end by
  // itself.
  std::optional<subject::Milliseconds> idle;
  // What is still running when the command itself has ended is stopped; else it is waited for.
  bool until_exit = false;
  bool terminal = false;                         // it has one of its own: --tty
  std::string user{};                            // run as; empty: as the tool
  bool read_tls = false;                         // this launch is the pass that reads TLS
  std::optional<subject::CommandPlace> place{};  // in a root of its own (Setting: WorldPlan::root)
  std::vector<evidence::Limit> limits{};         // of that root
  // A launch for each, in this order; empty: one, in the environment that it has by itself.
  std::vector<Environment> environments{};
};

// The command keeps the terminal, the folder and the environment of the tool (less the variables
// that tell a program it runs in CI), or has those of its place, and gets the proxy variables.
[[nodiscard]] evidence::LaneResult run_egress_command(const CommandRun& run,
                                                      subject::LaneContext& context,
                                                      Setting& setting);

}  // namespace telltale::catcher
