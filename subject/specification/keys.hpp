// Every key of subject.yaml: one table for the reader, the README, `telltale init` and the tests
// that hold the JSON schema to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace telltale::subject {

// A map of the file that has fixed keys.
struct Shape {
  std::string_view name;   // "subject", "step", "http"; "file" is the root
  std::string_view where;  // the paths where such a map stands: "phases.NAME, egress.control"
};

struct KeyRow {
  std::string_view shape;
  std::string_view key;
  std::string_view type;      // for people: "text", "list of texts", "duration"
  std::string_view fallback;  // what holds when it is absent; "required"; empty: nothing
  std::string_view meaning;   // one sentence
  [[nodiscard]] bool required() const { return fallback == "required"; }
  [[nodiscard]] std::string path() const;  // "subject.ports", "step.http"; of the root, the key
};

[[nodiscard]] const std::vector<Shape>& specification_shapes();
[[nodiscard]] const std::vector<KeyRow>& specification_keys();  // grouped as the shapes are

// The table as GitHub markdown, one heading and table for each shape. README.md holds it verbatim.
[[nodiscard]] std::string specification_keys_markdown();

}  // namespace telltale::subject
