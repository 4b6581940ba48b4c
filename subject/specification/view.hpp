// Checked reading of the tree: every reader says what type it wants, and what it gets instead is a
// mistake at its place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subject/specification/mistakes.hpp"
#include "subject/specification/node.hpp"
#include "subject/specification/scope.hpp"

namespace telltale::subject {

// One value, its path ("doors[2].http.url"), and the variables that texts below it may use. Views
// are cheap to copy; node, mistakes and scope outlive them. A conversion that fails has added its
// mistake and returns nothing.
class View {
 public:
  View(const Node& node, std::string path, const Scope& scope, Mistakes& mistakes)
      : node_(&node), path_(std::move(path)), scope_(&scope), mistakes_(&mistakes) {}

  [[nodiscard]] const Node& node() const { return *node_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Place place() const { return node_->place; }
  [[nodiscard]] const Scope& scope() const { return *scope_; }
  [[nodiscard]] Mistakes& mistakes() const { return *mistakes_; }
  [[nodiscard]] View in(const Scope& scope) const;  // the same value, other variables
  [[nodiscard]] View child(const Node& node, const std::string& suffix) const;
  [[nodiscard]] bool is(Node::Kind kind) const { return node_->kind == kind; }

  void mistake(std::string what, std::string fix) const;
  void bad_reference(std::string what, std::string fix) const;
  // "egress.rounds is text, not a whole number".
  void wrong_type(std::string_view wanted, std::string fix) const;

  // Numbers, true and false are texts too, as written. A text may be empty unless it is filled().
  [[nodiscard]] std::optional<std::string> text() const;    // with variables of the scope
  [[nodiscard]] std::optional<std::string> c_text() const;  // as text(), without a NUL character
  [[nodiscard]] std::optional<std::string> filled() const;  // as c_text(), not empty
  [[nodiscard]] std::optional<std::string> url() const;     // http:// or https://, or ${...}
  [[nodiscard]] std::optional<std::string> date() const;
  [[nodiscard]] std::optional<std::string> name() const;  // is_name()
  [[nodiscard]] std::optional<int> whole(int low, int high) const;
  [[nodiscard]] std::optional<bool> flag() const;
  [[nodiscard]] std::optional<Milliseconds> duration() const;
  [[nodiscard]] std::optional<Argv> argv() const;    // at least one text
  [[nodiscard]] std::optional<Pairs> pairs() const;  // a map of texts
  [[nodiscard]] std::optional<std::vector<View>> list() const;

 private:
  [[nodiscard]] std::optional<std::string> scalar(std::string_view wanted) const;

  const Node* node_;
  std::string path_;
  const Scope* scope_;
  Mistakes* mistakes_;
};

}  // namespace telltale::subject
