// Acts of the control caller for the sampler, which sees a connection only while it is there.
#pragma once

#include <cstdint>

#include "catcher/act.hpp"

namespace telltale::catcher {

// "held LOCAL-PORT", then waits for the peer to close.
void hold_connection(const std::string& address, std::uint16_t port, const Tell& tell);

// `count` connections, one begun each millisecond, so that they are spread over a pass of the
// sampler, each held so many milliseconds: their local ports.
[[nodiscard]] Told burst_connections(const std::string& address, std::uint16_t port, int count,
                                     int milliseconds);

}  // namespace telltale::catcher
