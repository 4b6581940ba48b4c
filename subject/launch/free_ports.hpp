// Ports for a subject to listen on, chosen by the kernel.
//
// All are held at once, so they differ, then let go: the subject binds them itself. In between
// anybody may take one, a program of this machine for a listener or the kernel for an outgoing
// connection; the subject then says so when it starts ("address already in use"). Free means: on
// every address, IPv4 and (where the machine has it) IPv6, for TCP and for UDP.
#pragma once

#include <cstdint>
#include <vector>

#include "evidence/result.hpp"
#include "subject/enclosure.hpp"

namespace telltale::subject {

[[nodiscard]] Result<std::vector<std::uint16_t>> free_ports(Enclosure& enclosure,
                                                            std::size_t count);

}  // namespace telltale::subject
