// `cipher search`: the search by itself, without a subject.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "evidence/exit_status.hpp"
#include "evidence/progress.hpp"

namespace telltale::canary {

struct SearchRequest {
  std::vector<std::string> roots;
  std::vector<std::string> values;  // --canary
  std::string value_file;           // -f: a path, "-" for standard input, "" for none
  std::string output;               // -o: a path, "" for `out`
  bool json = false;
  bool quiet = false;    // the headline alone
  bool verbose = false;  // every line of every list
  bool color = false;
};

// Where the command reads from, writes to, and hears that it should stop.
struct SearchConsole {
  std::istream& in;
  std::ostream& out;
  evidence::Messages& messages;
  std::function<int()> interrupted_by;  // SIGINT, SIGTERM or 0; asked by many threads
};

// Found 1, not found 0, nothing searched or not all of it 3, bad input 2. A value is never told by
// the messages. An `out` that has gone away changes nothing.
[[nodiscard]] evidence::ExitStatus run_search(const SearchRequest& request, SearchConsole& console);

}  // namespace telltale::canary
