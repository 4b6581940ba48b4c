// A JSON document as text, piece by piece: a result with ten thousand findings is ten megabytes,
// which nobody needs whole.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace telltale::evidence {

// What to_text(document) gives, in pieces of one finding or so, in order.
void write_text(const nlohmann::json& document,
                const std::function<void(std::string_view piece)>& write);

}  // namespace telltale::evidence
