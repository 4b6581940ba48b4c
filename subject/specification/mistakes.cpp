#include "subject/specification/mistakes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "evidence/characters.hpp"

namespace telltale::subject {

Error Mistakes::first(const std::string& file) const {
  const auto& told = structure_.empty() ? references_ : structure_;
  const auto place = [](const Mistake& m) { return std::tuple(m.place.line, m.place.column); };
  const auto earliest =
      std::min_element(told.begin(), told.end(),
                       [&](const Mistake& a, const Mistake& b) { return place(a) < place(b); });
  return error_at(file, *earliest);
}

Error error_at(const std::string& file, const Mistake& mistake) {
  return {Fault::input,
          fmt::format("{}:{}:{}: {}", file, mistake.place.line, mistake.place.column,
                      evidence::visible(mistake.what)),
          evidence::visible(mistake.fix)};
}

}  // namespace telltale::subject
