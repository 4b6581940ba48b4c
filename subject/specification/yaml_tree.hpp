// The events of yaml-cpp's parser become a tree of nodes. What yaml-cpp lets pass and a
// subject.yaml must not have is rejected on the way: keys given twice, a second document, a quote
// that never closes, tags, an alias to itself, more than kValueLimit values.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "subject/specification/mistakes.hpp"
#include "subject/specification/node.hpp"

namespace telltale::subject {

// Thrown through the parser, caught in parse_yaml.
struct Rejected {
  Mistake mistake;
};

// The text outlives it.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  [[nodiscard]] std::shared_ptr<const Node> root() const {
    return root_ ? root_ : std::make_shared<const Node>();
  }
  // Where the innermost { or [ that is still open was written.
  [[nodiscard]] std::optional<Place> open_bracket(char& bracket) const;

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    std::shared_ptr<Node> node;
    YAML::Mark mark;
    YAML::anchor_t anchor = YAML::NullAnchor;
    char first_character = '\0';
    std::optional<std::string> key;  // read, its value not yet
    Place key_place;
    std::unordered_set<std::string> keys;
  };

  [[noreturn]] void stop(const YAML::Mark& mark, std::string what, std::string fix) const;
  [[nodiscard]] char character(const YAML::Mark& mark) const;
  [[nodiscard]] bool is_open_quote(const YAML::Mark& mark) const;
  void count(const YAML::Mark& mark, std::size_t values);
  std::shared_ptr<Node> make(const YAML::Mark& mark, Node::Kind kind, const std::string& tag);
  void open(const YAML::Mark& mark, std::shared_ptr<Node> node, YAML::anchor_t anchor);
  void close();
  void finish(const YAML::Mark& mark, std::shared_ptr<const Node> node, YAML::anchor_t anchor);
  void attach(const YAML::Mark& mark, std::shared_ptr<const Node> node);
  void take_key(const YAML::Mark& mark, const Node& node, Frame& parent) const;

  std::string_view text_;
  std::vector<Frame> stack_;
  std::map<YAML::anchor_t, std::shared_ptr<const Node>> anchors_;
  std::shared_ptr<const Node> root_;
  std::size_t total_ = 0;
  int documents_ = 0;
};

}  // namespace telltale::subject
