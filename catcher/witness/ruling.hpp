// What becomes of a trapped call, where somebody else than the kernel decides.
#pragma once

#include <linux/seccomp.h>

#include <functional>

#include "catcher/witness/call.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

struct Ruling {
  enum class Kind {
    go_on,     // the kernel does it, reading its arguments again
    answered,  // it has been done, or is refused: `error`
    pending    // a connection that waits: its result is that of `socket`, once it is writable
  };
  Kind kind = Kind::go_on;
  int error = 0;  // an errno; 0: it worked
  subject::FileDescriptor socket{};
};

// On the supervisor's thread, which serves nobody else meanwhile.
using Judge = std::function<Ruling(const seccomp_notif& call, const WitnessedCall& read,
                                   ProcessCache& processes)>;

}  // namespace telltale::catcher
