// What is wrong with a subject.yaml, and where.
#pragma once

#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "subject/specification.hpp"

namespace telltale::subject {

struct Mistake {
  Place place;
  std::string what;
  std::string fix;
};

// Readers add what they find and go on with defaults; the first mistake of the file is reported.
class Mistakes {
 public:
  void add(Mistake mistake) { structure_.push_back(std::move(mistake)); }
  // A name that refers to something else in the file (a variable, a port, a phase). Told only when
  // the file is sound otherwise: what it refers to may be the very thing that could not be read.
  void add_reference(Mistake mistake) { references_.push_back(std::move(mistake)); }

  [[nodiscard]] bool none() const { return structure_.empty() && references_.empty(); }
  // The first in file order. Precondition: !none().
  [[nodiscard]] Error first(const std::string& file) const;

 private:
  std::vector<Mistake> structure_;
  std::vector<Mistake> references_;
};

// "file:line:column: what", Fault::input.
[[nodiscard]] Error error_at(const std::string& file, const Mistake& mistake);

}  // namespace telltale::subject
