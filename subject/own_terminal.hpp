// A terminal of the subject's own, for a tool that may have none.
//
// Many programs ask, tell and send only where a person sits: they look whether their streams are a
// terminal. In CI they have none. Here a pseudo-terminal (pty(7)) is made; its one end is the
// subject's controlling terminal and its three streams, and a thread relays the other end:
//
//   what it prints     to the tool's standard output, as it comes
//   the tool's input   to the subject; at the end of a file or pipe the end-of-file character (^D)
//   the window         as large as the tool's terminal, and followed; without one 80 by 24
//
// Where the tool's input is a terminal itself, that is raw meanwhile: ^C, ^Z and ^\ are the
// subject's, not the tool's. What is typed into the subject's terminal (TIOCSTI) reaches nobody
// else.
#pragma once

#include <memory>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"
#include "subject/identity.hpp"

namespace telltale::subject {

class OwnTerminal {
 public:
  // Owned by the user who will have it, where the tool may give it away. Fault::instrument where
  // the machine has no pseudo-terminal left.
  [[nodiscard]] static Result<std::unique_ptr<OwnTerminal>> open(const Identity& user);
  ~OwnTerminal();

  // The subject's end; the relay starts. Once.
  [[nodiscard]] FileDescriptor connect();
  // All that was printed so far is shown, and the tool's terminal is as it was. A process that
  // still holds the subject's end is hung up. Safe to call twice.
  void finish();

 private:
  struct State;
  explicit OwnTerminal(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace telltale::subject
