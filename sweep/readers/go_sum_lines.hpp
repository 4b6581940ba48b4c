// go.sum: one line a hash, `path version h1:...` for the zip and `path version/go.mod h1:...` for
// the go.mod alone (the Go modules reference, "go.sum files").
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "evidence/result.hpp"

namespace telltale::sweep {

struct GoSums {
  struct Entry {
    std::string zip;  // "h1:..."; empty: only the go.mod was needed, to choose versions
    std::string mod;
    int line = 0;  // the first that names it
  };
  std::map<std::pair<std::string, std::string>, Entry> entries;  // by path and version
};

// Fault::input with file:line: a line that is not three words or whose hash is cut off, a line that
// is there twice (a file written twice), two different hashes for one version.
[[nodiscard]] Result<GoSums> parse_go_sum(std::string_view text, const std::string& file);

}  // namespace telltale::sweep
