// A search as evidence: what the cipher lane and `cipher search` put into their results.
#pragma once

#include <vector>

#include "canary/search_result.hpp"
#include "evidence/finding.hpp"
#include "evidence/observer.hpp"
#include "evidence/row.hpp"
#include "evidence/verdict.hpp"

namespace telltale::canary {

// Ids are "cipher-1", ... from `first` on. One for each value and form in each place.
[[nodiscard]] std::vector<evidence::Finding> findings_of(const SearchResult& result,
                                                         std::size_t first = 1);
// Keys are "file:PATH".
[[nodiscard]] std::vector<evidence::Unexamined> unexamined_of(const SearchResult& result);
[[nodiscard]] evidence::ObserverRecord observer_of(const SearchResult& result);
[[nodiscard]] std::vector<evidence::Row> rows_of(const SearchResult& result);
// First bytes: one line for each class of file and what it is known as.
[[nodiscard]] evidence::Table header_table_of(const SearchResult& result);
// What no search of this kind can say.
[[nodiscard]] const std::vector<evidence::Limit>& search_limits();

// All of it, for a search that stands alone: judge() makes FINDINGS of a hit, and CLEAN, which the
// caller must call NOT FOUND, of none.
[[nodiscard]] evidence::Grounds grounds_of(const SearchResult& result);

}  // namespace telltale::canary
