// The witness in the sealed world: its filter goes onto every process that the enclosure starts.
#pragma once

#include "catcher/witness/witness.hpp"
#include "catcher/world/sealed_enclosure.hpp"

namespace telltale::catcher {

//   enclosure.set_hooks(witness_hooks(witness));       // after witness.start()
// The witness outlives the hooks.
[[nodiscard]] StartHooks witness_hooks(Witness& witness);

}  // namespace telltale::catcher
