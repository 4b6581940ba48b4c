#include "subject/specification/yaml.hpp"

#include <fmt/core.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "subject/specification/yaml_text.hpp"
#include "subject/specification/yaml_tree.hpp"

namespace telltale::subject {

namespace {

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
