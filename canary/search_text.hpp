// The document of `cipher search` as a page for a person.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "evidence/report/format.hpp"

namespace telltale::canary {

struct TextOptions {
  evidence::ReportOptions report;  // verbose: every line of every list
  bool headline_only = false;      // -q
};

void write_search_text(const nlohmann::json& document, const TextOptions& options,
                       std::ostream& out);

}  // namespace telltale::canary
