// Recoverable errors of every room.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace telltale {

// Who failed; it decides the exit status, the text never does.
enum class Fault {
  input,       // arguments, files or settings of the user: no run (exit 2)
  instrument,  // this tool or this machine could not look: NOT EVIDENCE (exit 3)
  subject,  // the program under audit refused, died or never got ready: a result, quoted (exit 3)
  interrupted  // SIGINT or SIGTERM (exit 130, 143)
};

struct Error {
  Fault fault = Fault::instrument;
  std::string what;  // one sentence that names the file, port or program
  std::string fix;   // what to do next; never empty for Fault::input

  [[nodiscard]] std::string text() const { return fix.empty() ? what : what + "\n  fix: " + fix; }
};

template <class T = void>
using Result = tl::expected<T, Error>;

// return fail(Fault::input, "a.lock is empty", "run the package manager again to write it");
[[nodiscard]] inline tl::unexpected<Error> fail(Fault fault, std::string what,
                                                std::string fix = {}) {
  return tl::make_unexpected(Error{fault, std::move(what), std::move(fix)});
}

[[nodiscard]] inline tl::unexpected<Error> pass_on(Error error) {
  return tl::make_unexpected(std::move(error));
}

}  // namespace telltale
