// An observer of the egress lane: one file, one registration (plain_setting.cpp,
// sealed_setting.cpp).
//
// start() before the first launch, prove() before and after each, stop() after the last. prove()
// has a caller do what the observer must see and then looks into the observer's own record: what
// counts is that the sighting arrived, not that the observer says it is attached.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catcher/scene.hpp"
#include "catcher/sighting.hpp"
#include "evidence/control.hpp"
#include "evidence/host_stamp.hpp"
#include "evidence/observer.hpp"
#include "evidence/result.hpp"
#include "evidence/row.hpp"
#include "subject/enclosure.hpp"

namespace telltale::catcher {

class ControlCaller;

class Observer {
 public:
  virtual ~Observer() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  // Fault::instrument: "the proxy never started: ...".
  [[nodiscard]] virtual Result<> start(subject::Enclosure& enclosure) = 0;
  // `when` is part of the control's name: "launch 1, before". The name of the control is
  // control_name(*this, when), held or not.
  [[nodiscard]] virtual evidence::Control prove(const std::string& when, ControlCaller& caller) = 0;
  virtual void stop() = 0;

  // All that was seen until now; what a control caller did may be among it, and is left out later.
  [[nodiscard]] virtual std::vector<Sighting> sightings() const = 0;
  [[nodiscard]] virtual evidence::ObserverRecord record() const = 0;
  [[nodiscard]] virtual std::vector<evidence::Row> rows(const evidence::HostStamp& host) const = 0;

  // Given to the subject and to every control caller.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> environment() const {
    return {};
  }
};

[[nodiscard]] std::string control_name(const Observer& observer, const std::string& when);

}  // namespace telltale::catcher
