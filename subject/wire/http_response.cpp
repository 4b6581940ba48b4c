#include "subject/wire/http_response.hpp"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/field.hpp>
#include <cstring>
#include <optional>

#include "subject/doors/door.hpp"

namespace telltale::subject {

namespace {

namespace net = boost::asio;
namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

void assign(std::string& to, string_view text) {
  to.assign(text.data(), text.size());
}

// Beast decides what the bytes mean; this keeps the little that a door needs, without an
// allocation once the strings have grown.
class Parser final : public http::basic_parser<false> {
 public:
  explicit Parser(HttpResponse& response) : response_(response) {
    eager(true);
    header_limit(kHeaderLimit);
    body_limit(boost::none);  // ours cuts instead of failing
  }

 private:
  void on_request_impl(http::verb, string_view, string_view, int, error_code&) override {}
  void on_response_impl(int code, string_view, int, error_code&) override {
    response_.status = code;
  }
  void on_field_impl(http::field name, string_view text, string_view value, error_code&) override {
    if (name == http::field::set_cookie) {
      response_.cookies.emplace_back(value.data(), value.size());
    } else if (name == http::field::content_type) {
      assign(response_.content_type, value);
    } else if (name == http::field::location) {
      assign(response_.location, value);
    } else if (name == http::field::unknown && boost::beast::iequals(text, "Mcp-Session-Id")) {
      assign(response_.session, value);
    }
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view body, error_code&) override { return keep(body); }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override {
    return keep(body);
  }
  void on_finish_impl(error_code&) override {}

  std::size_t keep(string_view body) {
    const auto part = std::min(body.size(), kAnswerLimit - response_.body.size());
    response_.body.append(body.data(), part);
    if (part < body.size()) response_.cut = true;
    return body.size();
  }

  HttpResponse& response_;
};

}  // namespace

void HttpResponse::clear() {
  status = 0;
  body.clear();
  cut = finished = false;
  content_type.clear();
  location.clear();
  session.clear();
  cookies.clear();
  took = {};
}

struct ResponseReader::State {
  HttpResponse response;
  std::optional<Parser> parser;
  bool head = false;
  bool any = false;  // bytes of this response have come
  std::string problem;
  std::vector<char> buffer = std::vector<char>(16 * 1024);
  std::size_t begin = 0, end = 0;  // what the parser has not taken yet

  void restart() {
    response.clear();
    parser.emplace(response);
    parser->skip(head);
  }
  [[nodiscard]] std::string_view pending() const { return {buffer.data() + begin, end - begin}; }
  // 100 and 103 announce another response; 101 is a last word.
  [[nodiscard]] bool interim() const {
    return parser->is_done() && response.status >= 100 && response.status < 200 &&
           response.status != 101;
  }
  bool parse();
};

bool ResponseReader::State::parse() {
  while (begin < end && !parser->is_done()) {
    error_code error;
    begin += parser->put(net::const_buffer(buffer.data() + begin, end - begin), error);
    if (error == http::error::need_more) return true;
    if (error) {
      problem = error.message();
      return false;
    }
    if (interim()) restart();
  }
  return true;
}

ResponseReader::ResponseReader() : state_(std::make_unique<State>()) {
  expect_response(false);
}
ResponseReader::ResponseReader(ResponseReader&&) noexcept = default;
ResponseReader& ResponseReader::operator=(ResponseReader&&) noexcept = default;
ResponseReader::~ResponseReader() = default;

void ResponseReader::expect_response(bool head) {
  state_->head = head;
  state_->any = false;
  state_->problem.clear();
  state_->begin = state_->end = 0;
  state_->restart();
}

std::span<char> ResponseReader::room() {
  auto& buffer = state_->buffer;
  auto& begin = state_->begin;
  auto& end = state_->end;
  if (begin == end) begin = end = 0;
  if (end == buffer.size() && begin > 0) {
    std::memmove(buffer.data(), buffer.data() + begin, end - begin);
    end -= begin;
    begin = 0;
  }
  // Only a header or a chunk's first line waits for its end here; the parser limits both.
  if (end == buffer.size()) buffer.resize(buffer.size() * 2);
  return std::span(buffer).subspan(end);
}

bool ResponseReader::took(std::size_t bytes) {
  state_->end += bytes;
  state_->any = true;
  return state_->parse();
}

bool ResponseReader::ended() {
  if (done()) return true;
  if (!state_->parser->got_some()) return false;
  error_code error;
  state_->parser->put_eof(error);
  if (error) state_->problem = error.message();
  return !error;
}

bool ResponseReader::started() const {
  return state_->any;
}
bool ResponseReader::header_done() const {
  return state_->parser->is_header_done();
}
bool ResponseReader::done() const {
  return state_->parser->is_done();
}
bool ResponseReader::keeps_alive() const {
  return done() && state_->parser->keep_alive() && state_->begin == state_->end &&
         state_->response.status != 101;
}
const std::string& ResponseReader::problem() const {
  return state_->problem;
}
std::string_view ResponseReader::raw() const {
  return state_->pending();
}
HttpResponse& ResponseReader::response() {
  return state_->response;
}

}  // namespace telltale::subject
