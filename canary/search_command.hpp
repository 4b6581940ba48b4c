// `cipher search`: the search by itself, without a subject.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "evidence/exit_status.hpp"
#include "evidence/progress.hpp"
#include "evidence/result.hpp"

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

// Where the command writes to, and hears that it should stop.
struct SearchConsole {
  std::ostream& out;
  evidence::Messages& messages;
  std::function<int()> interrupted_by;  // SIGINT, SIGTERM or 0; asked by many threads
};

// Adds the values of the value file. By itself, so that it comes before the signals are taken: a
// wait for standard input must end with the first of them.
[[nodiscard]] Result<> load_values(SearchRequest& request, std::istream& in,
                                   evidence::Messages& messages);

// Found 1, not found 0, nothing searched or not all of it 3, bad input 2. No message tells a value.
// An `out` that has gone away changes nothing.
[[nodiscard]] evidence::ExitStatus run_search(const SearchRequest& request, SearchConsole& console);

}  // namespace telltale::canary
