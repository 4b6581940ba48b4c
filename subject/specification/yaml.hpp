// YAML text to a tree, by yaml-cpp's event interface.
//
// yaml-cpp 0.7 accepts more than it should: duplicate keys, a quote that never ends, several
// documents, an alias to the list that holds it. All of these are mistakes here, and so are tags
// (but !!str): subject.yaml has no use for them.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "subject/specification/mistakes.hpp"
#include "subject/specification/node.hpp"

namespace telltale::subject {

// Values in one file, aliases expanded; ten lines of aliases to aliases would make billions.
inline constexpr std::size_t kValueLimit = 20'000;

// One document, whatever its root; Kind::null for a text without any. Columns count characters.
[[nodiscard]] tl::expected<std::shared_ptr<const Node>, Mistake> parse_yaml(
    const std::string& text);

}  // namespace telltale::subject
