// Looks for patterns in everything below some folders.
//
//   SearchPlan plan;
//   plan.roots = {"data"};
//   plan.patterns = canary_patterns(1, canary).value();
//   auto result = search(plan);
//
// What is searched: the bytes of every regular file, binary or not, hidden or not; what gzip files
// hold; names; targets of symbolic links; names and values of extended attributes. Not seen:
// deleted files that are still open, memory, raw devices, other compressed formats (each is
// reported), values that were encoded, encrypted or cut apart.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "canary/matcher.hpp"
#include "canary/search_result.hpp"
#include "canary/unpack/descent.hpp"
#include "evidence/result.hpp"

namespace telltale::canary {

struct SearchPlan {
  std::vector<std::string> roots;  // folders or files; one inside another is searched once
  std::vector<Pattern> patterns;
  unsigned threads = 0;  // 0: as many as processors, two at least
  UnpackLimits limits = {};
  // SIGINT, SIGTERM or 0. Asked by every thread, often.
  std::function<int()> interrupted_by = [] { return 0; };
  MatcherFactory matcher = make_gram_matcher;
  // A path as the table of first bytes may show it. The table folds numbers, and of a secret with
  // digits in a file name the rest would no longer be known for one afterwards. By every thread.
  std::function<std::string(const std::string&)> shown = [](const std::string& path) {
    return path;
  };
};

// Fault::input: no pattern, no root, or a root that is not there. All else that goes wrong is in
// the result: a control that did not hold, or something unseen.
[[nodiscard]] Result<SearchResult> search(const SearchPlan& plan);

}  // namespace telltale::canary
