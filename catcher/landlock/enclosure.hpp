// The machine as it is, less every TCP connection: processes start under a Landlock ruleset
// (ruleset.hpp) and the witness's filter, with the broker behind it (broker.hpp).
//
// Nothing is hidden and nothing ends with the tool: files, daemons and processes are the machine's.
#pragma once

#include <memory>

#include "catcher/landlock/broker.hpp"
#include "catcher/world/sealed_enclosure.hpp"
#include "subject/enclosure.hpp"

namespace telltale::catcher {

class LandlockEnclosure : public subject::Enclosure {
 public:
  // As SealedEnclosure::set_hooks. Without them nothing is connected at all.
  virtual void set_hooks(StartHooks hooks) = 0;
};

// Its listeners become known to the broker, which outlives it. Also makes the calling process a
// child subreaper.
[[nodiscard]] Result<std::unique_ptr<LandlockEnclosure>> make_landlock_enclosure(Broker& broker);

}  // namespace telltale::catcher
