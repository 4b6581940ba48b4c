// The cipher lane: is a value written through the program's API readable in the files that it
// leaves on disk?
//
// The keyed run writes canaries and must leave none readable. The control run is the same program,
// deliberately unencrypted (or a command that decrypts what the keyed run left): the same search
// must find the same kind of canary there, or finding nothing in the keyed run means nothing.
// Variants are run the same way, one row each. Files that the program wrote outside its data
// folder, within its work folder, HOME and TMPDIR, are searched with the rest and listed.
#pragma once

#include <functional>

#include "evidence/lane_result.hpp"
#include "subject/lane_context.hpp"
#include "subject/specification.hpp"

namespace telltale::canary {

[[nodiscard]] evidence::LaneResult run_cipher(const subject::Specification& specification,
                                              subject::LaneContext& context);

}  // namespace telltale::canary
