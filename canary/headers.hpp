// The first bytes of every file: does a store look like its format, like text, or like nothing?
//
// It is a description, not a proof: an encrypted file has no magic and first bytes of its own, but
// so has many a plain one, and plain text can follow a header that looks random.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::canary {

// A file's name without what tells it from its siblings: ".ibd" for orders.ibd, "N" for 16384,
// "binlog.N" for binlog.000001, "N_fsm" for 1259_fsm, "HEX" for 16 or more hex digits.
[[nodiscard]] std::string file_class(std::string_view file_name);

struct HeaderRow {
  std::string file_class;
  std::string known_as;  // a magic's name, "text", "zeros", "no known magic"
  std::uint64_t files = 0;
  std::uint64_t distinct = 0;  // values of the first 16 bytes
  std::string example;         // path of the first file by name; bytes, not text
};

class HeaderTable {
 public:
  // `head`: the first bytes of a file that is not empty; `tail`: its last ones, for files whose
  // format has a footer.
  void add(const std::string& path, std::string_view head, std::string_view tail);
  void merge(const HeaderTable& other);
  // See SearchResult::name_root.
  void name_root(const std::string& root, const std::string& name);
  // By class, then by what it is known as.
  [[nodiscard]] std::vector<HeaderRow> rows() const;

 private:
  struct Group {
    std::uint64_t files = 0;
    std::vector<std::array<char, 16>> values;  // one a file
    std::string example;
  };
  std::map<std::pair<std::string, std::string>, Group> groups_;
};

}  // namespace telltale::canary
