// What `cipher search` says, as one document; search.schema.json describes it. The text for a
// person is made from it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "canary/search_result.hpp"
#include "evidence/exit_status.hpp"
#include "evidence/report/format.hpp"

namespace telltale::canary {

// Strings are valid UTF-8: a byte of a name that is not is written as \xNN.
[[nodiscard]] nlohmann::json search_document(const SearchResult& result);

// FOUND 1, NOT FOUND 0, NOT EVIDENCE 3, interrupted 130 or 143.
[[nodiscard]] evidence::ExitStatus exit_status_of(const SearchResult& result);

}  // namespace telltale::canary
