#include "subject/doors/http.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "subject/doors/cookies.hpp"
#include "subject/doors/makers.hpp"
#include "subject/wire/http_request.hpp"
#include "subject/wire/url.hpp"

namespace telltale::subject {

namespace {

Result<std::string> dumped(const nlohmann::json& written, const Variables& variables) {
  auto document = variables.expand(written);
  if (!document) return pass_on(std::move(document.error()));
  // A captured value may hold bytes that are no UTF-8.
  return document->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool redirects(int status) {
  return status >= 300 && status <= 399;
}

}  // namespace

Result<Pairs> expand(const Pairs& written, const Variables& variables) {
  Pairs expanded;
  for (const auto& [name, text] : written) {
    auto value = variables.expand(text);
    if (!value) return pass_on(std::move(value.error()));
    expanded.emplace_back(name, std::move(*value));
  }
  return expanded;
}

HttpDoor::HttpDoor(HttpCall call, std::optional<std::string> socket_path,
                   const DoorContext& context)
    : call_(std::move(call)),
      socket_path_(std::move(socket_path)),
      exchange_(context.enclosure, context.interrupt_fd) {}

Result<HttpDoor::Place> HttpDoor::place(const Variables& variables) const {
  auto text = variables.expand(call_.url);
  if (!text) return pass_on(std::move(text.error()));
  if (socket_path_) {
    auto path = variables.expand(*socket_path_);
    if (!path) return pass_on(std::move(path.error()));
    return Place{{{}, 0, std::move(*path)}, false, "localhost", std::move(*text)};
  }
  auto url = parse_url(*text);
  if (!url) return pass_on(std::move(url.error()));
  return Place{{url->host, url->port, {}}, url->tls, url->authority, url->target};
}

Result<std::optional<std::string>> HttpDoor::body(const Variables& variables) const {
  if (!call_.json && !call_.body) return std::nullopt;
  auto text = call_.json ? dumped(*call_.json, variables) : variables.expand(*call_.body);
  if (!text) return pass_on(std::move(text.error()));
  return std::move(*text);
}

Result<> HttpDoor::prepare(const Variables& variables) {
  auto where = place(variables);
  if (!where) return pass_on(std::move(where.error()));
  auto headers = expand(call_.headers, variables);
  if (!headers) return pass_on(std::move(headers.error()));
  auto content = body(variables);
  if (!content) return pass_on(std::move(content.error()));

  if (call_.json && find_header(*headers, "Content-Type") == nullptr)
    headers->emplace_back("Content-Type", "application/json");
  const auto cookies = cookie_header(variables);
  if (!cookies.empty() && find_header(*headers, "Cookie") == nullptr)
    headers->emplace_back("Cookie", cookies);

  auto rendered = render(
      {call_.method, where->authority, where->target, std::move(*headers), std::move(*content)});
  if (!rendered) return pass_on(std::move(rendered.error()));
  exchange_.aim(std::move(where->endpoint), where->tls);
  request_ = std::move(*rendered);
  return {};
}

Result<Answer> HttpDoor::call(Milliseconds limit) {
  auto exchanged = exchange_.exchange(request_, limit, call_.method == "HEAD");
  if (!exchanged) return pass_on(std::move(exchanged.error()));
  const HttpResponse& response = **exchanged;
  Answer answer;
  answer.status = response.status;
  answer.body = response.body;
  if (redirects(response.status)) answer.error = "redirects to " + response.location;
  answer.cut = response.cut;
  answer.content_type = response.content_type;
  answer.cookies = response.cookies;
  answer.took = response.took;
  return answer;
}

MadeDoor make_http_door(const Step& step, const DoorContext& context) {
  return std::make_unique<HttpDoor>(std::get<HttpCall>(step.call), std::nullopt, context);
}

}  // namespace telltale::subject
