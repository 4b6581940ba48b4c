#include "subject/specification/yaml_tree.hpp"

#include <fmt/core.h>

#include "subject/specification/yaml.hpp"
#include "subject/specification/yaml_text.hpp"

namespace telltale::subject {

namespace {

std::size_t position_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(mark.pos);
}

}  // namespace

std::optional<Place> TreeBuilder::open_bracket(char& bracket) const {
  for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
    bracket = frame->first_character;
    if (bracket == '{' || bracket == '[') return frame->node->place;
  }
  return std::nullopt;
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (documents_++ > 0)
    stop(mark, "a second YAML document starts here", "one file describes one subject; remove it");
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  auto node = make(mark, Node::Kind::null, "?");
  // An absent value is met at the next token, which may be lines away.
  if (!stack_.empty() && stack_.back().key) node->place = stack_.back().key_place;
  finish(mark, std::move(node), anchor);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto target = anchors_.find(anchor);
  if (target == anchors_.end())
    stop(mark, "an alias to the value that holds it", "write the value out");
  count(mark, target->second->size);
  attach(mark, target->second);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  auto node = make(mark, Node::Kind::scalar, tag);
  node->text = value;
  node->quoted = tag != "?" && !tag.empty();
  if (is_open_quote(mark))
    stop(mark, fmt::format("the quote {} is never closed", text_[position_of(mark)]),
         "close it with the same character");
  finish(mark, std::move(node), anchor);
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value) {
  open(mark, make(mark, Node::Kind::list, tag), anchor);
}
void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value) {
  open(mark, make(mark, Node::Kind::map, tag), anchor);
}

void TreeBuilder::stop(const YAML::Mark& mark, std::string what, std::string fix) const {
  throw Rejected{{place_of(text_, mark), std::move(what), std::move(fix)}};
}

char TreeBuilder::character(const YAML::Mark& mark) const {
  return position_of(mark) < text_.size() ? text_[position_of(mark)] : '\0';
}
bool TreeBuilder::is_open_quote(const YAML::Mark& mark) const {
  const char first = character(mark);
  return (first == '"' || first == '\'') && !quote_closes(text_, position_of(mark));
}

void TreeBuilder::count(const YAML::Mark& mark, std::size_t values) {
  total_ += values;
  if (total_ > kValueLimit)
    stop(mark, fmt::format("more than {} values, counting each use of an alias", kValueLimit),
         "this is not a file that describes a subject; name the right one");
}

std::shared_ptr<Node> TreeBuilder::make(const YAML::Mark& mark, Node::Kind kind,
                                        const std::string& tag) {
  if (!tag.empty() && tag != "?" && tag != "!" && tag != "tag:yaml.org,2002:str")
    stop(mark, fmt::format("the tag {} is not used here", tag), "remove it");
  count(mark, 1);
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->place = place_of(text_, mark);
  return node;
}

void TreeBuilder::open(const YAML::Mark& mark, std::shared_ptr<Node> node, YAML::anchor_t anchor) {
  stack_.push_back({std::move(node), mark, anchor, character(mark), std::nullopt, {}, {}});
}
void TreeBuilder::close() {
  auto frame = std::move(stack_.back());
  stack_.pop_back();
  finish(frame.mark, std::move(frame.node), frame.anchor);
}

void TreeBuilder::finish(const YAML::Mark& mark, std::shared_ptr<const Node> node,
                         YAML::anchor_t anchor) {
  if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
  attach(mark, std::move(node));
}

void TreeBuilder::attach(const YAML::Mark& mark, std::shared_ptr<const Node> node) {
  if (stack_.empty()) {
    root_ = std::move(node);
    return;
  }
  auto& parent = stack_.back();
  if (parent.node->kind == Node::Kind::map && !parent.key) {
    take_key(mark, *node, parent);
    return;
  }
  parent.node->size += node->size;
  if (parent.node->kind == Node::Kind::list) {
    parent.node->items.push_back(std::move(node));
    return;
  }
  parent.node->entries.push_back({std::move(*parent.key), parent.key_place, std::move(node)});
  parent.key.reset();
}

void TreeBuilder::take_key(const YAML::Mark& mark, const Node& node, Frame& parent) const {
  if (node.kind != Node::Kind::scalar)
    stop(mark, "a key must be text", "texts that begin with { or [ need quotes");
  if (!parent.keys.insert(node.text).second)
    stop(mark, fmt::format("the key '{}' is given twice", node.text), "keep one of them");
  parent.key = node.text;
  parent.key_place = node.place;
}

}  // namespace telltale::subject
