// The six ways to call a subject, as a step writes them.
#pragma once

#include <optional>

#include "subject/specification/names.hpp"
#include "subject/specification/section.hpp"

namespace telltale::subject {

// The call of a step that has `kind` ("http", "mcp", "tcp", "unix", "exec", "page").
[[nodiscard]] Call read_call(const Section& step, const std::string& kind, const Names& names);

// A method of HTTP, where the map names one.
void read_method(const Section& http, std::string& method);

// What `expect:` says about a call of that kind.
[[nodiscard]] Expectation read_expectation(const View& view, const Call& call);

}  // namespace telltale::subject
