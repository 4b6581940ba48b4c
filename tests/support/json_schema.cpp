#include "support/json_schema.hpp"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace telltale::test {

namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

json read_json(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return json::parse(in);
}

// Parsed once a program: a test validates hundreds of documents.
const valijson::Schema& parsed_schema(const std::filesystem::path& file) {
  static std::map<std::filesystem::path, valijson::Schema> parsed;
  const auto found = parsed.find(file);
  if (found != parsed.end()) return found->second;
  auto& schema = parsed[file];
  const auto text = read_json(file);
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(NlohmannJsonAdapter(text), schema);
  return schema;
}

bool holds_schemas(const std::string& word) {
  static const std::set<std::string> words{"properties", "definitions", "patternProperties"};
  return words.count(word) > 0;
}

// draft-07's words, without those that valijson 1.0 accepts and does not check (format).
bool is_checked(const std::string& word) {
  static const std::set<std::string> words{"$schema",
                                           "$ref",
                                           "$id",
                                           "title",
                                           "description",
                                           "type",
                                           "enum",
                                           "const",
                                           "allOf",
                                           "anyOf",
                                           "oneOf",
                                           "not",
                                           "if",
                                           "then",
                                           "else",
                                           "properties",
                                           "patternProperties",
                                           "required",
                                           "additionalProperties",
                                           "propertyNames",
                                           "minProperties",
                                           "maxProperties",
                                           "items",
                                           "contains",
                                           "minItems",
                                           "maxItems",
                                           "uniqueItems",
                                           "minLength",
                                           "maxLength",
                                           "pattern",
                                           "minimum",
                                           "maximum",
                                           "exclusiveMinimum",
                                           "exclusiveMaximum",
                                           "multipleOf",
                                           "definitions"};
  return words.count(word) > 0;
}

void look(const json& schema, const std::string& place, std::vector<std::string>& found) {
  if (schema.is_array())
    for (std::size_t i = 0; i < schema.size(); ++i)
      look(schema[i], place + "/" + std::to_string(i), found);
  if (!schema.is_object()) return;
  if (schema.contains("$ref") && schema.size() > 1)
    found.push_back(place + ": words beside a $ref are ignored");
  if (schema.value("type", json()) == "object" && !schema.contains("additionalProperties"))
    found.push_back(place + ": an object that accepts any key");
  for (const auto& [word, value] : schema.items()) {
    const auto below = place + "/" + word;
    if (!is_checked(word)) found.push_back(below + ": valijson does not check this word");
    if (word == "enum" || word == "const" || word == "required") continue;
    if (!holds_schemas(word)) {
      look(value, below, found);
      continue;
    }
    for (const auto& [name, each] : value.items()) look(each, below + "/" + name, found);
  }
}

}  // namespace

std::vector<std::string> schema_faults(const std::filesystem::path& schema, const json& document) {
  static valijson::Validator validator;  // it keeps the compiled patterns
  valijson::ValidationResults results;
  std::vector<std::string> faults;
  if (validator.validate(parsed_schema(schema), NlohmannJsonAdapter(document), &results))
    return faults;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    std::string line;
    for (const auto& step : error.context) line += step;
    faults.push_back(line + ": " + error.description);
  }
  if (faults.empty()) faults.emplace_back("not valid, and valijson does not say why");
  return faults;
}

std::vector<std::string> unchecked_words(const json& schema) {
  std::vector<std::string> found;
  look(schema, "", found);
  return found;
}

}  // namespace telltale::test
