#include "subject/specification/yaml.hpp"

#include "support/catch.hpp"

using namespace telltale::subject;

namespace {

std::string mistake_in(const std::string& text) {
  const auto tree = parse_yaml(text);
  if (tree) return "no mistake";
  const auto& m = tree.error();
  return std::to_string(m.place.line) + ":" + std::to_string(m.place.column) + ": " + m.what;
}

}  // namespace

TEST_CASE("values know where they were written") {
  const auto tree =
      parse_yaml("a: 1\nb:\n  - \"x\"\n  - { \xC3\xA9: y }\nc:\nd: |\n  line\n").value();
  REQUIRE(tree->kind == Node::Kind::map);
  REQUIRE(tree->entries.size() == 4);
  const auto& list = *tree->find("b")->value;
  CHECK(list.items[0]->text == "x");
  CHECK(list.items[0]->quoted);
  CHECK(list.items[0]->place.line == 3);
  CHECK(list.items[0]->place.column == 5);
  const auto& inner = list.items[1]->entries.at(0);
  CHECK(inner.place.column == 7);
  CHECK(inner.value->place.column == 10);
  CHECK_FALSE(inner.value->quoted);
  // An absent value stands where its key is, not at the next token.
  CHECK(tree->find("c")->value->kind == Node::Kind::null);
  CHECK(tree->find("c")->value->place.line == 5);
  CHECK(tree->find("d")->value->text == "line\n");
  CHECK(tree->find("d")->value->quoted);
  CHECK(tree->size == 8);
}

TEST_CASE("what yaml-cpp lets through is refused") {
  CHECK(mistake_in("a: 1\nb: 2\na: 3\n") == "3:1: the key 'a' is given twice");
  CHECK(mistake_in("a: [{b: 1, b: 2}]\n") == "1:12: the key 'b' is given twice");
  CHECK(mistake_in("a: 1\n---\nb: 2\n") == "2:1: a second YAML document starts here");
  CHECK(mistake_in("a: 1\n...\n---\n") == "3:1: a second YAML document starts here");
  CHECK(mistake_in("a: \"x\nb: 1\n") == "1:4: the quote \" is never closed");
  CHECK(mistake_in("a: 'it''s\n") == "1:4: the quote ' is never closed");
  CHECK(mistake_in("a: \"x\\\"\n") == "1:4: the quote \" is never closed");
  CHECK(mistake_in("a: [\"x, y]\nb: 1\n") == "1:5: the quote \" is never closed");
  CHECK(mistake_in("a: &x [*x]\n") == "1:8: an alias to the value that holds it");
  CHECK(mistake_in("a: !!binary aGk=\n") ==
        "1:4: the tag tag:yaml.org,2002:binary is not used here");
  CHECK(mistake_in("? [a]\n: b\n") == "1:3: a key must be text");
}

TEST_CASE("quotes that close are closed") {
  CHECK(parse_yaml("a: \"x \\\" y\"\nb: 'it''s'\nc: \"\"\nd: ''\n"));
  CHECK(parse_yaml("a: it's\nb: 5\" disk\n"));
  CHECK(parse_yaml("a: |\n  \"open\n"));
  CHECK(parse_yaml("a: !!str 5\n").value()->find("a")->value->quoted);
  CHECK(parse_yaml("a: 1\n...\n"));
  CHECK(parse_yaml("--- \na: 1\n"));
}

TEST_CASE("mistakes of YAML itself come with a way out") {
  const auto tab = parse_yaml("a:\n\tb: 1\n");
  REQUIRE_FALSE(tab);
  CHECK(tab.error().what == "a tab in the indentation");
  CHECK(tab.error().fix == "YAML indents with spaces only");
  CHECK(mistake_in("a: {b: ${x}, c: d}\n") == "1:9: not YAML: the { of 1:4 is not closed");
  CHECK(mistake_in("a: [1, 2\nb: 3\n") == "2:2: not YAML: the [ of 1:4 is not closed");
  CHECK(mistake_in("a: b: c\n") == "1:5: not YAML: illegal map value");
  CHECK(mistake_in("a: @x\n") == "1:4: not YAML: unknown token");
}

TEST_CASE("hostile nesting ends early") {
  CHECK(mistake_in(std::string(100'000, '[')).find("nested too deeply") != std::string::npos);
  CHECK(mistake_in(std::string(100'000, '{')).find("nested too deeply") != std::string::npos);
  std::string dashes;
  for (int i = 0; i < 50'000; ++i) dashes += "- ";
  CHECK(mistake_in(dashes).find("nested too deeply") != std::string::npos);
  // yaml-cpp makes documents of these without end.
  CHECK(mistake_in(", , , ,").find("second YAML document") != std::string::npos);
  std::string list = "[";
  for (int i = 0; i < 30'000; ++i) list += "1,";
  CHECK(mistake_in(list + "1]").find("more than 20000 values") != std::string::npos);
}

TEST_CASE("a text without a document is null") {
  CHECK(parse_yaml("").value()->kind == Node::Kind::null);
  CHECK(parse_yaml("# comment\n").value()->kind == Node::Kind::null);
}
