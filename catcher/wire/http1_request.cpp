#include "catcher/wire/http1_request.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace telltale::catcher::wire {

namespace {

constexpr std::size_t kMethodLimit = 20;
constexpr std::size_t kHostLimit = 255;

bool is_token(char character) {
  const std::string_view others = "!#$%&'*+-.^_`|~";
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || others.find(character) != others.npos;
}

bool all_tokens(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_token);
}

// Takes a line without its end; false when it is not whole.
bool take_line(std::string_view& rest, std::string_view& line) {
  const auto end = rest.find('\n');
  if (end == rest.npos) return false;
  line = rest.substr(0, end);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  rest.remove_prefix(end + 1);
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return (x >= 'A' && x <= 'Z' ? x + 32 : x) == (y >= 'A' && y <= 'Z' ? y + 32 : y);
  });
}

// What stands of the request line, whole or not.
Shape read_request_line(std::string_view line, bool whole, HttpRequest& request) {
  const auto space = line.find(' ');
  const auto method = line.substr(0, space);
  if (method.size() > kMethodLimit || !all_tokens(method)) return Shape::foreign;
  if (space == line.npos) return whole || method.empty() ? Shape::foreign : Shape::partial;
  if (method.empty()) return Shape::foreign;
  request.method = method;
  auto target = line.substr(space + 1);
  if (whole) {
    const auto version = target.rfind(" HTTP/1.");
    if (version == target.npos || version + 9 != target.size()) return Shape::foreign;
    target = target.substr(0, version);
  }
  request.target_cut = target.size() > kTargetLimit;
  request.target = target.substr(0, kTargetLimit);
  return Shape::partial;
}

void read_field(std::string_view line, Http1Reading& reading) {
  const auto colon = line.find(':');
  const auto name = line.substr(0, std::min(colon, kHeaderNameLimit));
  if (colon == line.npos || name.empty() || !all_tokens(name)) return;
  const auto value = trimmed(line.substr(colon + 1));
  if (reading.request.header_names.size() < kHeaderNameLimit)
    reading.request.header_names.emplace_back(name);
  if (same_word(name, "host")) reading.request.host = value.substr(0, kHostLimit);
  if (same_word(name, "content-length"))
    std::from_chars(value.data(), value.data() + value.size(), reading.body);
  if (same_word(name, "transfer-encoding")) reading.chunked = true;
}

}  // namespace

Http1Reading read_http1_request(Bytes stream) {
  Http1Reading reading;
  auto rest = as_text(stream);
  std::string_view line;
  if (!take_line(rest, line)) {
    reading.shape =
        stream.empty() ? Shape::partial : read_request_line(rest, false, reading.request);
    return reading;
  }
  reading.shape = read_request_line(line, true, reading.request);
  if (reading.shape == Shape::foreign) return reading;
  while (take_line(rest, line)) {
    if (line.empty()) {
      reading.shape = Shape::whole;
      reading.head = stream.size() - rest.size();
      return reading;
    }
    read_field(line, reading);
  }
  return reading;
}

}  // namespace telltale::catcher::wire
