// How one sighting goes into an attempt.
#pragma once

#include "catcher/attempt.hpp"
#include "catcher/sighting.hpp"

namespace telltale::catcher {

inline constexpr const char* kUnknownProgram = "unknown program";

// An act that is told and leads nowhere: no packet, and nobody outside. It goes into no attempt.
[[nodiscard]] bool leads_nowhere(const Sighting& sighting);

// Its destination, program and time; nothing is counted yet.
[[nodiscard]] Attempt begin_attempt(const Sighting& sighting);

// An act of this very attempt: all that is known of it.
void add_act(Attempt& attempt, const Sighting& sighting);
// Who saw it, and when: whose it was among several programs is not known, nor how often.
void add_sight(Attempt& attempt, const Sighting& sighting);
// What was said and read, and how often where connections are told apart.
void add_content(Attempt& attempt, const Sighting& sighting);

}  // namespace telltale::catcher
