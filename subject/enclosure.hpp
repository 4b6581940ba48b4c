// The world that a subject runs in.
//
// The plain enclosure is the machine as it is: nothing is sealed, and what follows from that is
// said (assurance()). A sealed one, with namespaces of its own, is the catcher's. Doors and
// listeners go through the enclosure because its 127.0.0.1 may not be the tool's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "evidence/lane_result.hpp"
#include "evidence/result.hpp"
#include "subject/process.hpp"

namespace telltale::subject {

// A listening TCP socket that the tool serves and the subject can reach.
struct Listener {
  FileDescriptor socket;  // bound and listening, non-blocking
  std::string address;    // as the subject must write it: "127.0.0.1"
  std::uint16_t port = 0;
};

class Enclosure {
 public:
  virtual ~Enclosure() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // "plain"
  [[nodiscard]] virtual evidence::Assurance assurance() const = 0;

  // The folder that is the root of what is started here, where that is not the machine's: a
  // descriptor (O_PATH) that stays the enclosure's. -1: the machine's.
  [[nodiscard]] virtual int root() const { return -1; }
  // Whether what is written to the user's own files is kept apart and thrown away.
  [[nodiscard]] virtual bool copies_on_write() const { return false; }

  // Call it from a thread that lives on: the kernel kills the process when the thread that forked
  // it ends (PR_SET_PDEATHSIG).
  [[nodiscard]] virtual Result<std::unique_ptr<Process>> start(ProcessPlan plan) = 0;
  // A socket of socket(2), made inside the subject's network.
  [[nodiscard]] virtual Result<FileDescriptor> socket(int domain, int type) = 0;
  // Port 0: the kernel chooses. Fault::instrument when it cannot be bound, with the reason.
  [[nodiscard]] virtual Result<Listener> listen(std::uint16_t port = 0) = 0;
};

// Boost.Process v2 on this machine as it is; makes the calling process a child subreaper, so that
// the descendants of a subject that detach themselves stay ours.
[[nodiscard]] std::unique_ptr<Enclosure> make_plain_enclosure();

}  // namespace telltale::subject
