// The positive controls of a search: what must be found before a "not found" counts.
//
// A fresh nonce is put where only a search that looks everywhere finds it: in a binary file, across
// a buffer boundary and deep in a later buffer; in a gzip file, in a file's name, in a link's
// target, in an extended attribute. The folder is then searched by the same code, threads and
// matcher as the subject's. The values that are really looked for are planted in memory alone: a
// key must not reach a disk through its own search.
#pragma once

#include <string>
#include <vector>

#include "canary/matcher.hpp"
#include "canary/search_result.hpp"
#include "evidence/control.hpp"
#include "evidence/result.hpp"

namespace telltale::canary {

// What the search calls itself where a control or an observer is named.
inline constexpr const char* kObserver = "search";

class Plant {
 public:
  // A folder in TMPDIR, or /tmp. Fault::instrument when it cannot be made or filled.
  [[nodiscard]] static Result<Plant> make(const std::string& nonce);
  Plant(Plant&& other) noexcept
      : folder_(std::move(other.folder_)), places_(std::move(other.places_)) {
    other.folder_.clear();
  }
  Plant& operator=(Plant&&) = delete;
  ~Plant();  // removes the folder

  [[nodiscard]] const std::string& folder() const { return folder_; }
  // One control for each place, held when a hit of pattern `nonce` is there.
  [[nodiscard]] std::vector<evidence::Control> check(const std::vector<Hit>& hits,
                                                     std::size_t nonce) const;

 private:
  struct Planted {
    std::string control;  // its name
    std::string file;     // in the folder
    Place place = Place::content;
    std::string expected;
    std::vector<std::uint64_t> offsets;  // each must be among those of the hit
  };
  Plant() = default;
  [[nodiscard]] Result<> fill(const std::string& nonce);
  [[nodiscard]] bool found(const Planted& planted, const std::vector<Hit>& hits,
                           std::size_t nonce) const;

  std::string folder_;
  std::vector<Planted> places_;
};

// The controls that every search must show, by name. The attribute is not among them: a file system
// of TMPDIR may have none, and then nothing is planted.
[[nodiscard]] const std::vector<std::string>& required_controls();

// Every pattern in a buffer of bytes that are none; each must be found.
[[nodiscard]] evidence::Control check_patterns(const Matcher& matcher,
                                               const std::vector<Pattern>& patterns);

}  // namespace telltale::canary
