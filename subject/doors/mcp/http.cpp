// Streamable HTTP: each message is a POST. The answer is JSON or a stream of events that may go on
// after the response; it is read until the response is there (HttpExchange::Enough).
#include "subject/doors/http.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "subject/doors/cookies.hpp"
#include "subject/doors/mcp/events.hpp"
#include "subject/doors/mcp/transport.hpp"
#include "subject/wire/http_request.hpp"
#include "subject/wire/url.hpp"

namespace telltale::subject::mcp {

namespace {

bool is_events(const std::string& content_type) {
  return content_type.starts_with("text/event-stream");
}

class HttpTransport final : public Transport {
 public:
  HttpTransport(const McpCall& call, const DoorContext& context)
      : call_(call), exchange_(context.enclosure, context.interrupt_fd) {}

  Result<> prepare(const Variables& variables) override {
    auto text = variables.expand(call_.url);
    if (!text) return pass_on(std::move(text.error()));
    auto url = parse_url(*text);
    if (!url) return pass_on(std::move(url.error()));
    auto headers = expand(call_.headers, variables);
    if (!headers) return pass_on(std::move(headers.error()));
    const auto cookies = cookie_header(variables);
    if (!cookies.empty() && find_header(*headers, "Cookie") == nullptr)
      headers->emplace_back("Cookie", cookies);
    exchange_.aim({url->host, url->port, {}}, url->tls);
    url_ = std::move(*url);
    headers_ = std::move(*headers);
    return {};
  }

  Result<> load(const Message& message) override {
    HttpRequest request{"POST", url_.authority, url_.target, headers_, message.text};
    const auto add = [&request](const std::string& name, const std::string& value) {
      if (find_header(request.headers, name) == nullptr) request.headers.emplace_back(name, value);
    };
    add("Content-Type", "application/json");
    add("Accept", "application/json, text/event-stream");
    for (const auto& [name, value] : message.headers) add(name, value);
    auto rendered = render(request);
    if (!rendered) return pass_on(std::move(rendered.error()));
    request_ = std::move(*rendered);
    id_at_.reset();
    if (message.id_at) id_at_ = request_.size() - message.text.size() + *message.id_at;
    return {};
  }

  Result<Reply> exchange(std::uint64_t id, Milliseconds limit) override {
    if (id_at_) write_id(request_, *id_at_, id);
    auto exchanged = exchange_.exchange(request_, limit, false, until_response(id));
    if (!exchanged) return pass_on(std::move(exchanged.error()));
    const HttpResponse& response = **exchanged;
    return Reply{response.status,  response.body,    is_events(response.content_type),
                 response.session, response.cookies, response.cut,
                 response.took};
  }

  [[nodiscard]] Peer peer() const override { return exchange_.peer(); }

 private:
  // The digits of the id, in an event that has ended, are taken for the response: nothing else in
  // the stream of this request carries that number.
  static HttpExchange::Enough until_response(std::uint64_t id) {
    return [digits = fmt::format("{}", id),
            from = std::size_t{0}](const HttpResponse& so_far) mutable {
      if (!is_events(so_far.content_type)) return false;
      const auto at = so_far.body.find(digits, from);
      if (at != std::string::npos) return event_ended(so_far.body, at);
      from = so_far.body.size() - std::min(so_far.body.size(), digits.size());
      return false;
    };
  }

  McpCall call_;
  HttpExchange exchange_;
  Url url_;
  Pairs headers_;
  std::string request_;
  std::optional<std::size_t> id_at_;
};

}  // namespace

void write_id(std::string& text, std::size_t at, std::uint64_t id) {
  std::to_chars(text.data() + at, text.data() + text.size(), id);
}

std::unique_ptr<Transport> http_transport(const McpCall& call, const DoorContext& context) {
  return std::make_unique<HttpTransport>(call, context);
}

}  // namespace telltale::subject::mcp
