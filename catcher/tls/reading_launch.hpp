// The launch of a lane in which TLS is read, and what the report says of it.
#pragma once

#include <string>

#include "catcher/setting.hpp"
#include "evidence/lane_result.hpp"
#include "subject/specification.hpp"

namespace telltale::catcher {

// For the bounds of the headline, after "1 launch".
inline constexpr auto kReadingTls = " with TLS read by a CA of this run";

// From here on, until Setting::read_tls(false). `launch` names it in the row; `own` is what the
// subject has of variables already; what it is given is added to `given`.
[[nodiscard]] Result<> begin_reading_tls(Setting& setting, const std::string& launch,
                                         const subject::Pairs& own, subject::Pairs& given,
                                         evidence::LaneRecord& record);

}  // namespace telltale::catcher
