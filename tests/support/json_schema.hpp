// Validates a document against a JSON Schema of draft-07, with valijson.
//
// valijson passes words that it does not know (`prefixItems`, `unevaluatedProperties`) without a
// sound and does not look beside a $ref; unchecked_words() finds both, so test each schema with it,
// and with documents that must fail.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace telltale::test {

// One line a fault: where, and what is wrong. Empty: valid. Throws when the schema cannot be read.
[[nodiscard]] std::vector<std::string> schema_faults(const std::filesystem::path& schema,
                                                     const nlohmann::json& document);

// Places of the schema that valijson would not check, and objects that accept any key.
[[nodiscard]] std::vector<std::string> unchecked_words(const nlohmann::json& schema);

}  // namespace telltale::test
