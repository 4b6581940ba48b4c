// A reader: one kind of lockfile or binary, turned into the modules that it names.
//
// To add one: a file here with its Reader, and one line in readers/reader.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/result.hpp"
#include "sweep/module.hpp"

namespace telltale::sweep {

struct Reading {
  std::string source;     // "the build information of yq", "go.mod"
  std::string ecosystem;  // "go"
  // What the modules are to the subject, as the verdict's claim says it: "it is built from".
  std::string claim;
  bool weaker = false;  // not what the program is built from, only what a file says of it
  std::vector<Module> modules;
  std::vector<std::pair<std::string, std::string>> facts;  // "built with" -> "go1.26.8"
  std::vector<std::string> limits;  // what this source cannot say, one sentence each
  // Why the list is known to be incomplete; empty when it is not. It blocks CLEAN.
  std::string incomplete;
};

class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // as `self: modules: from:` takes it
  [[nodiscard]] virtual std::string_view description() const = 0;  // one line, for messages
  // By the file's name or its first bytes (up to 512); cheap, and sure enough to read on.
  [[nodiscard]] virtual bool recognises(const std::filesystem::path& file,
                                        std::string_view first_bytes) const = 0;
  // Fault::input for everything that is wrong with the file, naming file (and line) and the fix.
  [[nodiscard]] virtual Result<Reading> read(const std::filesystem::path& file) const = 0;
};

[[nodiscard]] const std::vector<const Reader*>& readers();

// The reader that recognises the file, or Fault::input with the inputs that work. A reading
// without any module is an error here too: an empty parse must not read as "no problems".
[[nodiscard]] Result<Reading> read_modules(const std::filesystem::path& file);

// "a Go binary (ELF), go.mod, go.sum": for error messages and --help.
[[nodiscard]] std::string known_inputs();

// The whole of a text file, at most `limit` bytes; Fault::input when it is missing, unreadable,
// empty, larger, has a NUL byte or is an HTML page.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& file, std::size_t limit);

}  // namespace telltale::sweep
