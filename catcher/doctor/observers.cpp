#include "catcher/doctor/observers.hpp"

#include "catcher/egress_record.hpp"
#include "catcher/watch.hpp"
#include "evidence/host_stamp.hpp"
#include "evidence/lane_result.hpp"
#include "subject/descendants.hpp"

namespace telltale::catcher {

Result<std::vector<evidence::Control>> try_observers(Setting& setting,
                                                     const std::filesystem::path& scratch) {
  auto program = install_caller(scratch);
  if (!program) return pass_on(std::move(program.error()));
  Watch watch(setting, [] { return subject::descendants_of_this_process(); });
  auto tried = watch.start();
  if (tried) {
    ControlCaller caller(watch.enclosure(), watch.scene(), *program, watch.environment(), "");
    watch.scene().set(1, "start");
    watch.prove("doctor", caller);
  }
  if (auto stopped = watch.stop(); tried && !stopped) tried = stopped;
  if (!tried) return pass_on(std::move(tried.error()));
  evidence::LaneRecord record;
  [[maybe_unused]] const auto reading = watch.read_into(record, evidence::read_host(), {});
  return record.grounds.controls;
}

}  // namespace telltale::catcher
