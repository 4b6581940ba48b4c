#include "subject/wire/http_exchange.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "subject/quote.hpp"
#include "subject/wire/stream.hpp"
#include "subject/wire/tls_stream.hpp"

namespace telltale::subject {

struct HttpExchange::State {
  Enclosure& enclosure;
  int interrupt_fd;
  Endpoint endpoint;
  Peer peer;
  bool tls = false;
  std::unique_ptr<Stream> stream;  // empty: not connected
  bool unfinished = false;         // the last response was left before its end
  ResponseReader reader;

  State(Enclosure& world, int fd) : enclosure(world), interrupt_fd(fd) {}

  Result<> connect(const Deadline& deadline);
  void finish_last();
  // Empty when the response is there; else how the connection ended or what was wrong.
  std::optional<Error> attempt(std::string_view request, const Deadline& deadline, bool head,
                               const Enough& enough);
  std::optional<Error> read(Io sent, const Deadline& deadline, const Enough& enough);
  std::optional<Error> no_http() const;
  Error cut_short(Io state, const Deadline& deadline);
};

Result<> HttpExchange::State::connect(const Deadline& deadline) {
  peer = {};
  auto connected = connect_to(enclosure, endpoint, deadline);
  if (!connected) return pass_on(std::move(connected.error()));
  peer = std::move(connected->peer);
  stream = plain_stream(std::move(connected->socket));
  if (!tls) return {};
  auto secured = tls_stream(std::move(stream), endpoint.host, endpoint.text(), deadline);
  if (!secured) return pass_on(std::move(secured.error()));
  stream = std::move(*secured);
  return {};
}

// An event stream that was left early may have ended since; else its connection is of no more use.
void HttpExchange::State::finish_last() {
  if (!unfinished || !stream) return;
  unfinished = false;
  while (!reader.done()) {
    const auto got = stream->receive_now(reader.room());
    if (got.state != Io::done || !reader.took(got.bytes)) break;
  }
  if (!reader.keeps_alive()) stream.reset();
}

std::optional<Error> HttpExchange::State::attempt(std::string_view request,
                                                  const Deadline& deadline, bool head,
                                                  const Enough& enough) {
  reader.expect_response(head);
  const Io sent = stream->send(request, deadline);
  if (sent == Io::late || sent == Io::interrupted)
    return stream_error(sent, endpoint.text(), "while the request was being sent", deadline);
  auto failed = read(sent, deadline, enough);  // after a broken send too: 413 may lie there
  const bool whole = !failed && reader.done();
  unfinished = !failed && !whole;
  if (failed || sent != Io::done || (whole && !reader.keeps_alive())) {
    stream.reset();
    unfinished = false;
  }
  return failed;
}

std::optional<Error> HttpExchange::State::read(Io sent, const Deadline& deadline,
                                               const Enough& enough) {
  while (!reader.done()) {
    const auto got = stream->receive(reader.room(), deadline);
    if (got.state == Io::closed && reader.ended()) break;
    if (got.state != Io::done) return cut_short(sent == Io::reset ? sent : got.state, deadline);
    if (!reader.took(got.bytes)) return no_http();
    if (enough && reader.header_done() && enough(reader.response())) break;
  }
  reader.response().finished = reader.done();
  return std::nullopt;
}

std::optional<Error> HttpExchange::State::no_http() const {
  return Error{Fault::subject,
               fmt::format("{} answered with what is no HTTP/1.1 ({}): {}", endpoint.text(),
                           reader.problem(), quote(reader.raw())),
               {}};
}

Error HttpExchange::State::cut_short(Io state, const Deadline& deadline) {
  if (!reader.started())
    return stream_error(state, endpoint.text(), "before it answered", deadline);
  auto error = stream_error(state, endpoint.text(), "in the middle of its answer", deadline);
  if (error.fault != Fault::subject) return error;
  error.what += reader.header_done()
                    ? fmt::format("; so far: status {}, {}", reader.response().status,
                                  quote(reader.response().body))
                    : fmt::format("; so far: {}", quote(reader.raw()));
  return error;
}

HttpExchange::HttpExchange(Enclosure& enclosure, int interrupt_fd)
    : state_(std::make_unique<State>(enclosure, interrupt_fd)) {}
HttpExchange::HttpExchange(HttpExchange&&) noexcept = default;
HttpExchange& HttpExchange::operator=(HttpExchange&&) noexcept = default;
HttpExchange::~HttpExchange() = default;

void HttpExchange::aim(Endpoint endpoint, bool tls) {
  if (endpoint == state_->endpoint && tls == state_->tls) return;
  close();
  state_->endpoint = std::move(endpoint);
  state_->tls = tls;
}

const Peer& HttpExchange::peer() const {
  return state_->peer;
}

void HttpExchange::close() {
  state_->stream.reset();
}

Result<const HttpResponse*> HttpExchange::exchange(std::string_view request, Milliseconds limit,
                                                   bool head, const Enough& enough) {
  auto& state = *state_;
  state.finish_last();
  const Deadline deadline(limit, state.interrupt_fd);
  for (;;) {
    const bool kept = state.stream != nullptr;
    if (!kept) {
      auto connected = state.connect(deadline);
      if (!connected) return pass_on(std::move(connected.error()));
    }
    auto failed = state.attempt(request, deadline, head, enough);
    if (!failed) {
      state.reader.response().took = deadline.elapsed();
      return &state.reader.response();
    }
    const bool idle = kept && !state.reader.started() && failed->fault == Fault::subject &&
                      deadline.left_ms() > 0;
    if (!idle) return pass_on(std::move(*failed));
  }
}

}  // namespace telltale::subject
