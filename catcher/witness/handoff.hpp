// How the filter's listener gets from a starting child to the supervisor.
//
// The child cannot send it (sendmsg would be trapped by the filter that is just on), so it says the
// descriptor's number, by the untrapped send(2), and waits; the supervisor learns the child's pid
// from the kernel (SCM_CREDENTIALS, translated through PID namespaces), fetches the listener with
// pidfd_getfd(2) and answers. The listener is close-on-exec: from the exec on only the supervisor
// holds it, so when the supervisor is gone, trapped calls fail with ENOSYS and none of them hangs.
#pragma once

#include "catcher/witness/filter.hpp"
#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

// One for each start. Both ends are close-on-exec; the parent drops the Handoff after the fork.
class Handoff {
 public:
  [[nodiscard]] static Result<Handoff> make(Trapped trapped = Trapped::rarely_paid);

  // In the child, as the last thing before exec (after the user switch): 0, or an errno and the
  // exec must not happen. ECONNREFUSED: the supervisor could not fetch the listener or is gone.
  // Async-signal-safe; allocates nothing.
  [[nodiscard]] int install() const noexcept;

  // The other end, given to a supervisor; once.
  [[nodiscard]] subject::FileDescriptor take_supervisor_end() { return std::move(supervisor_); }

 private:
  Trapped trapped_ = Trapped::rarely_paid;
  subject::FileDescriptor child_, supervisor_;
};

// The supervisor's side; blocks until the child has said its number. The listener, or
// Fault::instrument; the child is answered in both cases.
[[nodiscard]] Result<subject::FileDescriptor> receive_listener(int supervisor_end);

}  // namespace telltale::catcher
