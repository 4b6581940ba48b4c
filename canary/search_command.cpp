#include "canary/search_command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "canary/search.hpp"
#include "canary/search_document.hpp"
#include "canary/search_text.hpp"
#include "canary/values.hpp"
#include "evidence/results.hpp"
#include "evidence/verdict.hpp"

namespace telltale::canary {

namespace {

Result<std::vector<Pattern>> patterns_of(const std::vector<std::string>& values) {
  std::vector<Pattern> patterns;
  for (const auto& value : values) {
    auto made = canary_patterns(static_cast<unsigned>(patterns.size() + 1), value);
    if (!made) return pass_on(made.error());
    std::move(made->begin(), made->end(), std::back_inserter(patterns));
  }
  return patterns;
}

Result<SearchResult> search_for(const SearchRequest& request, const SearchConsole& console) {
  auto patterns = patterns_of(request.values);
  if (!patterns) return pass_on(patterns.error());
  if (patterns->empty())
    return fail(Fault::input, "there is no value to search for", "give --canary V or -f FILE");
  SearchPlan plan;
  plan.roots = request.roots;
  plan.patterns = std::move(*patterns);
  plan.interrupted_by = console.interrupted_by;
  std::string places;
  for (const auto& root : plan.roots) places += " " + root;
  console.messages.detail("searching" + places);
  return search(plan);
}

std::string report(const SearchRequest& request, const SearchResult& result) {
  const auto document = search_document(result);
  if (request.json) return evidence::to_text(document);
  std::ostringstream text;
  write_search_text(document, {{request.color, request.verbose}, request.quiet}, text);
  return text.str();
}

// Nothing when the report arrived, or nobody is there to read it (a broken pipe).
Result<> deliver(const SearchRequest& request, std::ostream& out, const std::string& text) {
  if (!request.output.empty()) return evidence::write_durably(request.output, text);
  errno = 0;
  out << text << std::flush;
  if (out || errno == EPIPE) return {};
  return fail(Fault::instrument,
              fmt::format("the report could not be written: {}", std::strerror(errno)));
}

evidence::ExitStatus status_of(const Error& error) {
  return error.fault == Fault::input ? evidence::ExitStatus::usage
                                     : evidence::ExitStatus::not_evidence;
}

}  // namespace

Result<> load_values(SearchRequest& request, std::istream& in, evidence::Messages& messages) {
  if (request.value_file.empty()) return {};
  auto more = read_value_file(request.value_file, in,
                              [&](const std::string& text) { messages.warn(text); });
  if (!more) return pass_on(more.error());
  std::move(more->begin(), more->end(), std::back_inserter(request.values));
  return {};
}

evidence::ExitStatus run_search(const SearchRequest& request, SearchConsole& console) {
  const auto result = search_for(request, console);
  if (!result) {
    console.messages.error(result.error());
    return status_of(result.error());
  }
  const auto status = exit_status_of(*result);
  const auto delivered = deliver(request, console.out, report(request, *result));
  if (delivered) return status;
  console.messages.error(delivered.error());
  return evidence::worst(status, status_of(delivered.error()));
}

}  // namespace telltale::canary
