// The Landlock rules of a subject without namespaces (landlock(7), landlock_restrict_self(2)):
// it connects no TCP socket to anywhere, for good, and neither does what it starts.
//
// From ABI 6 on (Linux 6.12) abstract unix sockets of processes outside are closed to it too. Not
// covered by Landlock: UDP, raw sockets, MPTCP, sockets with a path, what was connected before.
#pragma once

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

// A ruleset without a single exception. Fault::instrument before Linux 6.7 (ABI 4), or where
// Landlock is off, with the remedy.
[[nodiscard]] Result<subject::FileDescriptor> make_ruleset();

// The ABI of this kernel; Fault::instrument as above.
[[nodiscard]] Result<int> landlock_version();

// In a child: system calls only. Sets no_new_privs, so that set-user-id programs run without their
// privilege. 0, or an errno.
[[nodiscard]] int restrict_to(int ruleset);

}  // namespace telltale::catcher
