// A subject.yaml as a tree in which every value knows where it was written.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "subject/specification.hpp"

namespace telltale::subject {

struct Node {
  enum class Kind { null, scalar, list, map };
  struct Entry {
    std::string key;
    Place place;  // of the key
    std::shared_ptr<const Node> value;
  };

  Kind kind = Kind::null;
  Place place;
  std::string text;     // scalar: its characters, escapes resolved
  bool quoted = false;  // scalar: in quotes or a block (| or >), so always text
  std::vector<std::shared_ptr<const Node>> items;  // list
  std::vector<Entry> entries;                      // map, in the order written, keys unique
  std::size_t size = 1;  // values in it, itself included, aliases counted each time

  [[nodiscard]] const Entry* find(std::string_view key) const {
    for (const auto& entry : entries)
      if (entry.key == key) return &entry;
    return nullptr;
  }
};

}  // namespace telltale::subject
