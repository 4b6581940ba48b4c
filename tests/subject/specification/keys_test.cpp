#include "subject/specification/keys.hpp"

#include <set>

#include "subject/specification/yaml.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::subject;

namespace {

void add_keys(const Node& node, std::set<std::string>& keys) {
  for (const auto& entry : node.entries) {
    keys.insert(entry.key);
    add_keys(*entry.value, keys);
  }
  for (const auto& item : node.items) add_keys(*item, keys);
}

}  // namespace

TEST_CASE("each key is listed once, in a shape that is listed, with a type and a meaning") {
  std::set<std::string> shapes;
  for (const auto& shape : specification_shapes())
    CHECK(shapes.insert(std::string(shape.name)).second);
  std::set<std::string> paths;
  for (const auto& row : specification_keys()) {
    INFO(row.path());
    CHECK(paths.insert(row.path()).second);
    CHECK(shapes.count(std::string(row.shape)) == 1);
    CHECK_FALSE(row.type.empty());
    CHECK(row.meaning.back() == '.');
  }
  CHECK(paths.count("version") == 1);
  CHECK(paths.count("subject.ports") == 1);
}

TEST_CASE("the full example uses every key but one of each pair that excludes the other") {
  const auto file = std::filesystem::path(TELLTALE_FIXTURES) / "subject.yaml" / "full.yaml";
  std::set<std::string> used;
  add_keys(*parse_yaml(telltale::test::read_file(file)).value(), used);
  // ready: the other four ways; read in specification_test.cpp.
  const std::set<std::string> elsewhere = {"notify"};
  for (const auto& row : specification_keys()) {
    INFO(row.path());
    CHECK((used.count(std::string(row.key)) == 1 || elsewhere.count(std::string(row.key)) == 1));
  }
}

TEST_CASE("the markdown has a table for each shape and a row for each key") {
  const auto page = specification_keys_markdown();
  for (const auto& shape : specification_shapes())
    CHECK(page.find("**" + std::string(shape.name) + "**: ") != std::string::npos);
  std::size_t rows = 0;
  for (auto at = page.find("\n| `"); at != std::string::npos; at = page.find("\n| `", at + 1))
    ++rows;
  CHECK(rows == specification_keys().size());
  CHECK(page.find("| `grace` | duration | 10s | Killed when it still runs after this long. |\n") !=
        std::string::npos);
}
