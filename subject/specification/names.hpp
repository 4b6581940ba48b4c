// What one part of the file declares and others refer to.
#pragma once

#include <string>
#include <vector>

#include "subject/specification/scope.hpp"
#include "subject/specification/section.hpp"

namespace telltale::subject {

// A variable that a step captures; later steps of the same phase may use it.
struct Captured {
  std::string name;
  std::string phase;  // empty: every phase
};

struct Names {
  std::vector<std::string> ports;
  std::vector<std::string> phases;
  Scope none;                   // no launch yet: name, source, build output, dates
  Scope build;                  // source
  Scope launch;                 // folders, ports, key
  std::vector<Captured> setup;  // captured by set-up steps: known to doors and cipher steps
};

// Reads `subject.ports`, the names of `phases` and which of source and binary exist. Comes first,
// since texts all over the file refer to them.
[[nodiscard]] Names read_names(const Section& file);

// "api", or "8080": a listed port or a number. Else a mistake.
[[nodiscard]] std::optional<std::string> read_port(const View& view, const Names& names);

}  // namespace telltale::subject
