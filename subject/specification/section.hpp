// A map with fixed keys.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subject/specification/view.hpp"

namespace telltale::subject {

// A map of a shape in keys.hpp: what the table does not list is an unknown key, what it requires
// must be there, and a key without a value is a mistake.
class Section {
 public:
  Section(View view, std::initializer_list<std::string_view> shapes);

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] std::optional<View> at(std::string_view key) const;
  [[nodiscard]] std::optional<View> at(std::string_view key, const Scope& scope) const;
  [[nodiscard]] Place place_of(std::string_view key) const;  // of the key, or of the map

  // take("url", &View::url, call.url): leaves `into` as it is when the key is absent or wrong.
  template <class T, class Target>
  void take(std::string_view key, std::optional<T> (View::*read)() const, Target& into) const {
    take(key, view_.scope(), read, into);
  }
  template <class T, class Target>
  void take(std::string_view key, const Scope& scope, std::optional<T> (View::*read)() const,
            Target& into) const {
    if (const auto value = at(key, scope))
      if (auto converted = ((*value).*read)()) into = std::move(*converted);
  }
  void take_whole(std::string_view key, int low, int high, int& into) const;
  // The children of a list, none when it is absent or no list.
  [[nodiscard]] std::vector<View> items(std::string_view key) const;

  // The one of these keys that is given; a mistake when it is none or more than one.
  [[nodiscard]] std::string one_of(const std::vector<std::string>& keys) const;

 private:
  [[nodiscard]] const Node::Entry* find(std::string_view key) const;
  void check_keys(std::initializer_list<std::string_view> shapes);

  View view_;
  bool misspelt_ = false;  // a key that nobody knows
};

}  // namespace telltale::subject
