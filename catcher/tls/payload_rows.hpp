// What a report says of payload inside TLS: read, unseen, or kept from being read.
#pragma once

#include <string>
#include <vector>

#include "catcher/attempt.hpp"
#include "evidence/lane_result.hpp"

namespace telltale::catcher {

inline constexpr std::size_t kPayloadLimits = 20;  // destinations that are named

// "payload unseen (SNI example.com); --read-tls reads it"; empty for an attempt without TLS.
[[nodiscard]] std::string tls_payload_of(const Attempt& attempt);

// One limit a destination and program whose payload nobody saw, and a row for each that refused the
// run's authority.
void add_payload_rows(const std::vector<Attempt>& attempts, evidence::LaneRecord& record);

}  // namespace telltale::catcher
