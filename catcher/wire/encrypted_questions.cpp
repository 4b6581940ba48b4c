#include "catcher/wire/encrypted_questions.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "catcher/wire/base64.hpp"
#include "catcher/wire/http1_request.hpp"
#include "catcher/wire/http2_request.hpp"

namespace telltale::catcher::wire {

namespace {

constexpr std::size_t kDnsHeader = 12;

std::optional<DnsQuery> question_in(Bytes message) {
  if (message.size() > kQuestionBodyLimit) return {};
  auto query = parse_dns_query(message);
  if (!query || !query->well_formed || query->questions.empty()) return {};
  return query;
}

// The value of a parameter of the target, as it is written; empty where there is none.
std::string_view parameter(std::string_view target, std::string_view name) {
  auto at = target.find('?');
  while (at != target.npos) {
    const auto rest = target.substr(at + 1);
    const auto one = rest.substr(0, rest.find('&'));
    if (one.size() > name.size() && one.substr(0, name.size()) == name && one[name.size()] == '=')
      return one.substr(name.size() + 1);
    at = target.find('&', at + 1);
  }
  return {};
}

std::optional<DnsQuery> json_question(std::string_view target) {
  const auto path = target.substr(0, target.find('?'));
  if (path != "/resolve" && path != "/dns-query") return {};
  const std::string name(parameter(target, "name"));
  const std::string type(parameter(target, "type"));
  if (name.empty() || name.size() > 253 || name.find('.') == name.npos) return {};
  std::uint16_t number = type.empty() ? dns::kA : dns_type_of(type);
  if (number == 0 &&
      std::all_of(type.begin(), type.end(), [](char c) { return c >= '0' && c <= '9'; }))
    for (const char digit : type.substr(0, 4))
      number = static_cast<std::uint16_t>(number * 10 + (digit - '0'));
  if (number == 0) return {};
  return question_in(make_dns_query(0, name, number));
}

struct RequestParts {
  const HttpRequest& request;
  Bytes body;
  bool body_ended;
  std::uint32_t stream;
};

void add_question(const RequestParts& parts, QuestionCarrier carrier, EncryptedQuestions& found) {
  const auto& [request, body, body_ended, stream] = parts;
  std::optional<DnsQuery> query;
  auto by = carrier;
  if (request.method == "POST") {
    if (body_ended) query = question_in(body);
    if (!body_ended && body.size() <= kQuestionBodyLimit) found.body_missing = true;
  } else if (request.method == "GET") {
    query = question_in(from_base64(parameter(request.target, "dns"), kBase64Url));
    if (!query && (query = json_question(request.target))) by = QuestionCarrier::json;
  }
  if (!query) return;
  found.carrier = by;
  found.questions.push_back({std::move(*query), stream});
}

EncryptedQuestions from_http1(Bytes stream, const Http1Reading& reading) {
  EncryptedQuestions found;
  if (reading.chunked || reading.body > kQuestionBodyLimit) return found;
  const auto rest = stream.subspan(reading.head);
  const auto body = rest.first(std::min<std::size_t>(rest.size(), reading.body));
  add_question({reading.request, body, body.size() == reading.body, 0}, QuestionCarrier::http1,
               found);
  return found;
}

EncryptedQuestions from_http2(const Http2Reading& reading) {
  EncryptedQuestions found;
  for (const auto& one : reading.requests)
    add_question({one.request, one.body, one.ended, one.stream}, QuestionCarrier::http2, found);
  return found;
}

EncryptedQuestions from_tls(Bytes stream) {
  EncryptedQuestions found;
  while (const auto message = first_dns_frame(stream)) {
    auto query = message->size() > kDnsHeader ? question_in(*message) : std::nullopt;
    if (!query) break;
    found.carrier = QuestionCarrier::tls;
    found.questions.push_back({std::move(*query), 0});
    stream = stream.subspan(message->size() + 2);
  }
  return found;
}

}  // namespace

EncryptedQuestions read_encrypted_questions(Bytes stream) {
  if (const auto two = read_http2_requests(stream); two.shape != Shape::foreign)
    return from_http2(two);
  if (const auto one = read_http1_request(stream); one.shape == Shape::whole)
    return from_http1(stream, one);
  return from_tls(stream);
}

}  // namespace telltale::catcher::wire
