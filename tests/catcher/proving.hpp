// What a control of an observer needs: the real caller, in the plain enclosure.
#pragma once

#include <unistd.h>

#include "catcher/control_caller.hpp"
#include "catcher/scene.hpp"
#include "subject/enclosure.hpp"

namespace telltale::test {

struct Proving {
  std::unique_ptr<subject::Enclosure> enclosure = subject::make_plain_enclosure();
  catcher::Scene scene{[] { return std::vector<pid_t>{getpid()}; }};
  catcher::ControlCaller caller{
      *enclosure, scene, TELLTALE_CALLER, {{"PATH", "/usr/bin:/bin"}}, ""};
};

}  // namespace telltale::test
