// Was it the subject that answered? A door asks an address, and whatever listens there answers: a
// server that was already running on this machine, what a wrong port leads to, or, in a sealed
// world, the tool's own answer to what leads nowhere. None of them is the program under audit.
//
// Asked of the listener, once a place: the kernel's list of listening sockets (listening_table.hpp)
// says which of them serves the address, and a process of the subject's tree must hold it. Of a
// unix socket SO_PEERCRED(7) says who called listen(2); where that process has ended (a daemon), a
// process of the tree must hold a listening socket of that name.
// Not seen: which of several processes of the tree it was; a socket that was handed to a foreign
// process and is held by both. Processes whose descriptors this user may not read get the benefit
// of the doubt.
#pragma once

#include <filesystem>
#include <vector>

#include "evidence/result.hpp"
#include "subject/process_tree.hpp"
#include "subject/wire/endpoint.hpp"

namespace telltale::subject {

// Fault::subject, naming who listens there. `folder`: where the subject runs; it may have bound a
// unix socket relative to it.
[[nodiscard]] Result<> answered_by(const std::vector<ProcessEntry>& tree, const Peer& peer,
                                   const std::filesystem::path& folder);

}  // namespace telltale::subject
