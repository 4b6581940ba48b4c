// The transparent sockets of W (ip(7), IP_TRANSPARENT): see RedirectedSockets in world.hpp.
#pragma once

#include "catcher/world/redirection.hpp"
#include "catcher/world/world.hpp"

namespace telltale::catcher {

// On a thread of W. Ports come from the kernel and go to `ports`.
[[nodiscard]] Result<RedirectedSockets> open_redirected_sockets(RedirectedPorts& ports);

}  // namespace telltale::catcher
