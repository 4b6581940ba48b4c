// Where a pattern was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace telltale::canary {

enum class Place {
  content,      // the bytes of a file
  decoded,      // what a decoder made of them; Hit::inside names the decoders
  name,         // a file's or folder's own name, or its path without the slashes
  link_target,  // what a symbolic link points at
  attribute     // name or value of an extended attribute; Hit::inside names it
};

// One pattern in one place. A file full of canaries is one hit with a large count.
struct Hit {
  std::string path;  // bytes, not text
  Place place = Place::content;
  std::string inside;       // "gzip", "gzip > gzip", "user.note"
  std::size_t pattern = 0;  // index into SearchResult::patterns
  std::uint64_t count = 0;
  std::vector<std::uint64_t> offsets;  // the first of them, ascending; into what `place` names

  // "data/app.log.2.gz > gzip", "data/x (file name)": bytes, not text.
  [[nodiscard]] std::string where() const;
};

// By path, place and pattern.
[[nodiscard]] bool operator<(const Hit& a, const Hit& b);

// Occurrences of each pattern in one place.
class Occurrences {
 public:
  void add(std::size_t pattern, std::uint64_t offset);
  void merge(const Occurrences& other);
  [[nodiscard]] bool empty() const { return by_pattern_.empty(); }
  void append_hits(const std::string& path, Place place, const std::string& inside,
                   std::vector<Hit>& hits) const;

 private:
  struct Found {
    std::uint64_t count = 0;
    std::vector<std::uint64_t> offsets;
    void keep(std::uint64_t offset);
  };
  std::map<std::size_t, Found> by_pattern_;
};

}  // namespace telltale::canary
