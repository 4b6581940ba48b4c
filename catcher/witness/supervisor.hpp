// The thread that answers the filters' notifications, each with "go on", after reading the call.
// One thing is refused: a socket of AF_VSOCK, as on a kernel without it. With a Judge (ruling.hpp)
// that one decides.
//
// SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (Linux 6.6) keeps the subject and this thread on one CPU for
// the exchange, which halves its price. What was read is believed when the kernel still waits for
// the answer afterwards (SECCOMP_IOCTL_NOTIF_ID_VALID): the thread lived, and it was its memory.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "catcher/witness/call.hpp"
#include "catcher/witness/ruling.hpp"
#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

class Supervisor {
 public:
  // `each` is called on the supervisor's thread. `program` lives as long as the supervisor.
  // `party` is the one of adopt(): that of the filter, which every descendant inherits.
  using OnCall = std::function<void(const WitnessedCall&, const ProcessCache& processes,
                                    const std::string& party)>;
  // A child that could not be attached, or a filter that failed: the sight is not whole.
  using OnFailure = std::function<void(const std::string&)>;

  Supervisor(OnCall each, OnFailure failed, Judge judge = {});
  ~Supervisor();

  [[nodiscard]] Result<> start();
  // The supervisor's end of a Handoff, and whose process it is; any thread, also while it runs.
  void adopt(subject::FileDescriptor handoff, std::string party = {});
  // Lets go of every filter: what the subject still calls fails with ENOSYS.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace telltale::catcher
