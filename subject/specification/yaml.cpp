#include "subject/specification/yaml.hpp"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_set>
#include <vector>

namespace telltale::subject {

namespace {

// Thrown through the parser, caught in parse_yaml.
struct Rejected {
  Mistake mistake;
};

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// yaml-cpp counts columns in bytes from 0; people count characters from 1.
Place place_of(std::string_view text, const YAML::Mark& mark) {
  if (mark.is_null()) return {1, 1};
  const auto end = std::min(static_cast<std::size_t>(mark.pos), text.size());
  const auto newline = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  const auto start = newline == std::string_view::npos ? 0 : newline + 1;
  int column = 1;
  for (auto i = start; i < end; ++i)
    if (!continues_character(text[i])) ++column;
  return {mark.line + 1, column};
}

// Whether the quoted text that opens at `open` ends before the file does.
bool quote_closes(std::string_view text, std::size_t open) {
  const char quote = text[open];
  for (auto i = open + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (quote == '\'' && text.substr(i, 2) == "''")
      ++i;
    else if (text[i] == quote)
      return true;
  }
  return false;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  [[nodiscard]] std::shared_ptr<const Node> root() const {
    return root_ ? root_ : std::make_shared<const Node>();
  }
  // Where the innermost { or [ that is still open was written.
  [[nodiscard]] std::optional<Place> open_bracket(char& bracket) const {
    for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
      bracket = frame->first_character;
      if (bracket == '{' || bracket == '[') return frame->node->place;
    }
    return std::nullopt;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0)
      stop(mark, "a second YAML document starts here", "one file describes one subject; remove it");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    auto node = make(mark, Node::Kind::null, "?");
    // An absent value is met at the next token, which may be lines away.
    if (!stack_.empty() && stack_.back().key) node->place = stack_.back().key_place;
    finish(mark, std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto target = anchors_.find(anchor);
    if (target == anchors_.end())
      stop(mark, "an alias to the value that holds it", "write the value out");
    count(mark, target->second->size);
    attach(mark, target->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto node = make(mark, Node::Kind::scalar, tag);
    node->text = value;
    node->quoted = tag != "?" && !tag.empty();
    if (is_open_quote(mark))
      stop(mark, fmt::format("the quote {} is never closed", text_[position(mark)]),
           "close it with the same character");
    finish(mark, std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, make(mark, Node::Kind::list, tag), anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, make(mark, Node::Kind::map, tag), anchor);
  }
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

  [[noreturn]] void stop(const YAML::Mark& mark, std::string what, std::string fix) const {
    throw Rejected{{place_of(text_, mark), std::move(what), std::move(fix)}};
  }

  [[nodiscard]] std::size_t position(const YAML::Mark& mark) const {
    return static_cast<std::size_t>(mark.pos);
  }
  [[nodiscard]] char character(const YAML::Mark& mark) const {
    return position(mark) < text_.size() ? text_[position(mark)] : '\0';
  }
  [[nodiscard]] bool is_open_quote(const YAML::Mark& mark) const {
    const char first = character(mark);
    return (first == '"' || first == '\'') && !quote_closes(text_, position(mark));
  }

  void count(const YAML::Mark& mark, std::size_t values) {
    total_ += values;
    if (total_ > kValueLimit)
      stop(mark, fmt::format("more than {} values, counting each use of an alias", kValueLimit),
           "this is not a file that describes a subject; name the right one");
  }

  std::shared_ptr<Node> make(const YAML::Mark& mark, Node::Kind kind, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!" && tag != "tag:yaml.org,2002:str")
      stop(mark, fmt::format("the tag {} is not used here", tag), "remove it");
    count(mark, 1);
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->place = place_of(text_, mark);
    return node;
  }

  void open(const YAML::Mark& mark, std::shared_ptr<Node> node, YAML::anchor_t anchor) {
    stack_.push_back({std::move(node), mark, anchor, character(mark), std::nullopt, {}, {}});
  }
  void close() {
    auto frame = std::move(stack_.back());
    stack_.pop_back();
    finish(frame.mark, std::move(frame.node), frame.anchor);
  }

  void finish(const YAML::Mark& mark, std::shared_ptr<const Node> node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    attach(mark, std::move(node));
  }

  void attach(const YAML::Mark& mark, std::shared_ptr<const Node> node) {
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

  void take_key(const YAML::Mark& mark, const Node& node, Frame& parent) const {
    if (node.kind != Node::Kind::scalar)
      stop(mark, "a key must be text", "texts that begin with { or [ need quotes");
    if (!parent.keys.insert(node.text).second)
      stop(mark, fmt::format("the key '{}' is given twice", node.text), "keep one of them");
    parent.key = node.text;
    parent.key_place = node.place;
  }

  std::string_view text_;
  std::vector<Frame> stack_;
  std::map<YAML::anchor_t, std::shared_ptr<const Node>> anchors_;
  std::shared_ptr<const Node> root_;
  std::size_t total_ = 0;
  int documents_ = 0;
};

// The column of the first tab in the indentation of a line, 0 when there is none.
int indenting_tab(std::string_view text, int line) {
  std::size_t start = 0;
  for (int n = 1; n < line; ++n) {
    const auto newline = text.find('\n', start);
    if (newline == std::string_view::npos) return 0;
    start = newline + 1;
  }
  for (auto at = start; at < text.size() && (text[at] == ' ' || text[at] == '\t'); ++at)
    if (text[at] == '\t') return static_cast<int>(at - start) + 1;
  return 0;
}

std::string fix_for(const std::string& problem) {
  using namespace YAML::ErrorMsg;
  if (problem == END_OF_MAP_FLOW || problem == END_OF_SEQ_FLOW)
    return "close it, or quote the text before this place: inside { } and [ ] a text with braces, "
           "as ${data} has, needs quotes";
  if (problem == MAP_VALUE)
    return "a text with ': ' in it needs quotes; else check the indentation";
  if (problem == UNKNOWN_TOKEN) return "a text that begins with @, ` or % needs quotes";
  if (problem == UNKNOWN_ANCHOR || problem == ALIAS_NOT_FOUND)
    return "*name repeats an earlier &name; a text that begins with * needs quotes";
  return "check the indentation, the quotes and the brackets around this place";
}

Mistake explain(const YAML::Exception& error, std::string_view text, const TreeBuilder& builder) {
  const auto place = place_of(text, error.mark);
  if (const int column = indenting_tab(text, place.line))
    return {{place.line, column}, "a tab in the indentation", "YAML indents with spaces only"};
  if (error.msg == YAML::ErrorMsg::BAD_FILE)  // yaml-cpp's word for it, at 500 levels or so
    return {place, "nested too deeply", "this is not a file that describes a subject"};
  char bracket = '\0';
  const auto opened = builder.open_bracket(bracket);
  const bool flow =
      error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW || error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW;
  if (flow && opened)
    return {place,
            fmt::format("not YAML: the {} of {}:{} is not closed", bracket, opened->line,
                        opened->column),
            fix_for(error.msg)};
  return {place, "not YAML: " + error.msg, fix_for(error.msg)};
}

}  // namespace

tl::expected<std::shared_ptr<const Node>, Mistake> parse_yaml(const std::string& text) {
  std::istringstream stream(text);
  TreeBuilder builder(text);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Rejected& found) {
    return tl::make_unexpected(found.mistake);
  } catch (const YAML::Exception& error) {
    return tl::make_unexpected(explain(error, text, builder));
  }
  return builder.root();
}

}  // namespace telltale::subject
