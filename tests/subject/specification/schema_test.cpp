// subject.schema.json, the reader and the table of keys say the same.
#include <fmt/core.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "subject/specification.hpp"
#include "subject/specification/json.hpp"
#include "subject/specification/keys.hpp"
#include "subject/specification/yaml.hpp"
#include "support/catch.hpp"
#include "support/json_schema.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::subject;
using nlohmann::json;
using telltale::test::read_file;
using telltale::test::schema_faults;
using telltale::test::TemporaryFolder;

namespace {

const std::filesystem::path kFixtures = std::filesystem::path(TELLTALE_FIXTURES) / "subject.yaml";
const auto kSchema =
    std::filesystem::path(TELLTALE_FIXTURES).parent_path() / "subject" / "subject.schema.json";

json schema() {
  return json::parse(read_file(kSchema));
}

// The document as an editor sees it; nothing when it is no YAML map.
std::optional<json> document_of(const std::string& yaml) {
  const auto tree = parse_yaml(yaml);
  if (!tree || tree.value()->kind != Node::Kind::map) return std::nullopt;
  Mistakes mistakes;
  const Scope scope;
  return json_of(View(**tree, "", scope, mistakes));
}

// Rows of the table for one map of the schema.
std::vector<KeyRow> rows_for(const std::string& definition) {
  std::set<std::string> shapes{definition};
  if (definition == "control") shapes = {"difference", "decrypt"};
  if (definition == "http_over_unix") shapes = {"http"};
  std::vector<KeyRow> rows;
  for (const auto& row : specification_keys())
    if (shapes.count(std::string(row.shape)) > 0) rows.push_back(row);
  return rows;
}

std::string description(const KeyRow& row) {
  const bool plain = row.fallback.empty() || row.required();
  return fmt::format("{}{}", row.meaning, plain ? "" : fmt::format(" Default: {}.", row.fallback));
}

void check_map(const std::string& name, const json& map) {
  INFO(name);
  std::set<std::string> required;
  const auto rows = rows_for(name);
  const auto properties = map.at("properties");
  CHECK(properties.size() == rows.size());
  for (const auto& row : rows) {
    const std::string key(row.key);
    INFO(key);
    REQUIRE(properties.contains(key));
    CHECK(properties.at(key).at("description") == description(row));
    if (row.required()) required.insert(key);
  }
  CHECK(map.value("required", json::array()).get<std::set<std::string>>() == required);
  CHECK(map.at("additionalProperties") == false);
}

// Calls `visit` with a copy of the document for each value in it, changed at that value.
void each_change(json& document, json& value,
                 const std::function<void(const std::string&, const std::string&)>& visit,
                 const std::string& path) {
  const auto saved = value;
  for (const auto& other : {json(nullptr), json::array({json::object()}), json({{"odd", 1}})}) {
    value = other;
    visit(path, other.dump());
    value = saved;
  }
  if (value.is_object())
    for (auto& [key, child] : value.items()) each_change(document, child, visit, path + "/" + key);
  if (value.is_array() && !value.empty()) each_change(document, value[0], visit, path + "/0");
}

}  // namespace

TEST_CASE("the schema lists the keys of the table, with their meanings") {
  const auto root = schema();
  check_map("file", root);
  std::set<std::string> maps{"file"};
  for (const auto& [name, definition] : root.at("definitions").items()) {
    if (!definition.contains("properties")) continue;
    check_map(name, definition);
    maps.insert(name);
  }
  for (const auto& shape : specification_shapes())
    CHECK((shape.name == "decrypt" || maps.count(std::string(shape.name)) == 1));
}

TEST_CASE("valijson checks every word of the schema") {
  const auto unchecked = telltale::test::unchecked_words(schema());
  CHECK(unchecked == std::vector<std::string>{});
}

TEST_CASE("the schema accepts what the reader accepts") {
  CHECK(schema_faults(kSchema, *document_of(read_file(kFixtures / "full.yaml"))) ==
        std::vector<std::string>{});
  CHECK(schema_faults(kSchema, *document_of("version: 1\nsubject: { name: a }\n")).empty());
  const auto notes = kFixtures.parent_path() / "subjects" / "notes" / "subject.yaml";
  CHECK(schema_faults(kSchema, *document_of(read_file(notes))) == std::vector<std::string>{});
}

TEST_CASE("the schema refuses each bad file that it can see through") {
  std::size_t refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFixtures / "bad")) {
    INFO(entry.path().filename().string());
    const auto text = read_file(entry.path());
    const auto document = document_of(text);
    const bool beyond = text.find("\n# beyond the schema\n") != std::string::npos;
    if (!document) {
      CHECK_FALSE(beyond);
      continue;
    }
    CHECK(schema_faults(kSchema, *document).empty() == beyond);
    refused += beyond ? 0 : 1;
  }
  CHECK(refused >= 50);
}

// Three wrong types in the place of each value of the full example: both must say the same. JSON is
// YAML, so the reader takes the changed document as it is.
TEST_CASE("the schema and the reader agree on every value of a wrong type") {
  const TemporaryFolder folder;
  auto document = *document_of(read_file(kFixtures / "full.yaml"));
  std::size_t changes = 0;
  each_change(
      document, document,
      [&](const std::string& path, const std::string& value) {
        const auto file = folder.write("subject.yaml", document.dump(1));
        const auto read = load_specification(file);
        const auto faults = schema_faults(kSchema, document);
        ++changes;
        // The canary that is read is written there.
        if (path.rfind("/cipher/write/0/http/json", 0) == 0) return;
        if (read.has_value() == faults.empty()) return;
        INFO(path << " became " << value);
        INFO((read ? std::string("the reader accepts it") : read.error().what));
        FAIL_CHECK("the schema says: " << (faults.empty() ? "valid" : faults.front()));
      },
      "");
  CHECK(changes > 300);
}
