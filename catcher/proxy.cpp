#include "catcher/proxy.hpp"

#include <fmt/core.h>
#include <netinet/in.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <mutex>
#include <optional>
#include <thread>

#include "catcher/control_round.hpp"
#include "catcher/nonce.hpp"
#include "catcher/peer_owner.hpp"
#include "catcher/request_target.hpp"
#include "catcher/sent/sent_values.hpp"

namespace telltale::catcher {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

namespace {

constexpr auto kQuiet = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kPatience{30};  // for a caller that connects and says nothing

constexpr std::string_view kAnswer =
    "HTTP/1.1 502 Bad Gateway\r\n"
    "Content-Type: text/plain\r\n"
    "Content-Length: 42\r\n"
    "Connection: close\r\n"
    "\r\n"
    "telltale: recorded, nothing was forwarded\n";

using RequestParser = http::request_parser<http::empty_body>;

void describe_request(const RequestParser::value_type& request, Sighting& sighting) {
  sighting.method = std::string(request.method_string());
  sighting.target = std::string(request.target());
  for (const auto& field : request) sighting.header_names.emplace_back(field.name_string());
  auto destination = destination_of(sighting.method, sighting.target);
  if (destination.host.empty()) destination.host = std::string(request[http::field::host]);
  sighting.host = std::move(destination.host);
  sighting.port = destination.port;
}

// Target and fields as text: the parser keeps them, and not the bytes that they came in.
std::string head_of(const RequestParser::value_type& request) {
  auto text = std::string(request.target()) + "\n";
  for (const auto& field : request)
    text += std::string(field.name_string()) + ": " + std::string(field.value()) + "\n";
  return text;
}

}  // namespace

struct Proxy::Server {
  Scene& scene;
  std::shared_ptr<AnswerTable> answers;
  SentValues* sent;
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  subject::Listener listener;
  PeerOwner owner;
  std::thread thread;

  mutable std::mutex mutex;  // guards everything below
  std::vector<Sighting> seen;
  std::string nonce;  // of the control that runs now
  bool nonce_seen = false;
  std::uint64_t connections = 0;
  std::uint64_t control_connections = 0;
  std::uint64_t lost = 0;
  std::optional<evidence::Instant> started, ended;
  std::string failure;

  Server(Scene& of, std::shared_ptr<AnswerTable> table, SentValues* values)
      : scene(of), answers(std::move(table)), sent(values), owner(of) {}

  ~Server() { shut(); }

  void shut() {
    if (!thread.joinable()) return;
    asio::post(io, [this] { acceptor.close(); });
    io.stop();
    thread.join();
    const std::lock_guard lock(mutex);
    ended = evidence::now();
  }

  void fill_owner(const Endpoint& caller, Sighting& sighting) {
    auto program = owner.find(IPPROTO_TCP, caller, {listener.address, listener.port});
    sighting.pid = program.pid;
    sighting.executable = std::move(program.executable);
  }

  Sighting begin(const Endpoint& caller) {
    Sighting sighting;
    sighting.observer = "proxy";
    sighting.at = evidence::now();
    const auto moment = scene.moment();
    sighting.launch = moment.launch;
    sighting.phase = moment.phase;
    sighting.protocol = "proxy";
    sighting.client_port = caller.port;
    return sighting;
  }

  void keep(Sighting sighting) {
    const std::lock_guard lock(mutex);
    ++connections;
    if (!nonce.empty() && sighting.host.find(nonce) != std::string::npos) {
      nonce_seen = true;
      ++control_connections;
    } else if (seen.size() < kProxyRecordLimit) {
      seen.push_back(std::move(sighting));
    } else {
      ++lost;
    }
  }

  // Requests that came with the first one, before its answer (RFC 9112 section 9.3.2).
  void keep_pipelined(beast::flat_buffer& buffer, const Sighting& first) {
    while (buffer.size() > 0) {
      Sighting next = first;
      next.host = next.method = next.target = {};
      next.header_names.clear();
      next.port = 0;
      RequestParser parser;
      parser.header_limit(64 * 1024);
      boost::system::error_code error;
      const auto used = parser.put(buffer.data(), error);
      if (error || !parser.is_header_done())
        next.target = fmt::format("{} bytes that are no HTTP request", buffer.size());
      else
        describe_request(parser.get(), next);
      keep(std::move(next));
      if (error || !parser.is_done()) return;  // what follows is a body, or unreadable
      buffer.consume(used);
    }
  }

  // The table's answer, which the sighting then names, or the refusal.
  std::string answer_to(Sighting& sighting) const {
    const auto target = sighting.method == "CONNECT" ? "" : path_and_query(sighting.target);
    const auto* played =
        answers == nullptr || target.empty()
            ? nullptr
            : answers->ask({sighting.host, sighting.port, sighting.method, target});
    if (played == nullptr) return std::string(kAnswer);
    sighting.answered_by = played->source;
    sighting.answer_status = played->status;
    return http1_message(*played, sighting.method);
  }

  // What a caller wrote that is no HTTP request is a sighting too: it reached out.
  asio::awaitable<void> serve(tcp::socket socket) {
    boost::system::error_code gone;
    const auto peer = socket.remote_endpoint(gone);
    const Endpoint caller{gone ? "" : peer.address().to_string(), peer.port()};
    auto sighting = begin(caller);
    beast::tcp_stream stream(std::move(socket));
    stream.expires_after(kPatience);
    beast::flat_buffer buffer;
    RequestParser parser;
    parser.header_limit(64 * 1024);
    const auto [error, bytes] = co_await http::async_read_header(stream, buffer, parser, kQuiet);
    fill_owner(caller, sighting);
    if (!error)
      describe_request(parser.get(), sighting);
    else
      sighting.target = fmt::format("{} bytes that are no HTTP request", bytes + buffer.size());
    SentStream said;
    feed(said, error ? std::string() : head_of(parser.get()), sighting);
    feed(said, {static_cast<const char*>(buffer.data().data()), buffer.size()}, sighting);
    const auto answer = error ? std::string(kAnswer) : answer_to(sighting);
    keep(sighting);
    if (!error && parser.is_done()) keep_pipelined(buffer, sighting);
    co_await asio::async_write(stream, asio::buffer(answer), kQuiet);
    co_await finish(stream, said, sighting);
  }

  void feed(SentStream& said, std::string_view bytes, const Sighting& sighting) const {
    if (sent != nullptr)
      sent->feed(said, bytes,
                 {"proxy", "proxy", sighting.host, sighting.port, sighting.executable});
  }

  // Closing with bytes unread resets the connection and the caller may lose the answer: end our
  // side, then read what still comes.
  asio::awaitable<void> finish(beast::tcp_stream& stream, SentStream& said,
                               const Sighting& sighting) const {
    boost::system::error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream.expires_after(std::chrono::seconds(2));
    std::array<char, 16 * 1024> rest;
    for (;;) {
      const auto [error, bytes] = co_await stream.async_read_some(asio::buffer(rest), kQuiet);
      if (error) co_return;
      feed(said, {rest.data(), bytes}, sighting);
    }
  }

  asio::awaitable<void> accept() {
    for (;;) {
      auto [error, socket] = co_await acceptor.async_accept(kQuiet);
      if (!error) {
        asio::co_spawn(io, serve(std::move(socket)), asio::detached);
        continue;
      }
      if (error == asio::error::operation_aborted || !acceptor.is_open()) co_return;
      const std::lock_guard lock(mutex);
      ++lost;  // a connection that could not be accepted (EMFILE) is one that was not seen
    }
  }

  void run() {
    try {
      io.run();
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex);
      failure = error.what();
    }
  }
};

Proxy::Proxy(Scene& scene, Within in_subject, ProxyPlan plan)
    : scene_(scene),
      in_subject_(std::move(in_subject)),
      direct_(std::move(plan.direct)),
      server_(std::make_unique<Server>(scene, std::move(plan.answers), plan.sent)) {}
Proxy::~Proxy() = default;

Result<> Proxy::start(subject::Enclosure& enclosure) {
  if (auto opened = in_subject_([this] { return server_->owner.open(); }); !opened) return opened;
  auto listener = enclosure.listen();
  if (!listener) {
    listener.error().what = "the proxy never started: " + listener.error().what;
    return pass_on(std::move(listener.error()));
  }
  server_->listener = std::move(*listener);
  server_->acceptor.assign(tcp::v4(), server_->listener.socket.release());
  server_->started = evidence::now();
  asio::co_spawn(server_->io, server_->accept(), asio::detached);
  server_->thread = std::thread([server = server_.get()] { server->run(); });
  return {};
}

std::string_view Proxy::expected() const {
  return "a caller with the subject's environment asks for a name that exists nowhere, and the "
         "request is recorded";
}

void Proxy::ask(ControlRound& round) {
  const auto nonce = make_nonce();
  fetch_ = round.add({"fetch", fmt::format("http://{}.invalid/", nonce)});
  const std::lock_guard lock(server_->mutex);
  server_->nonce = nonce;
  server_->nonce_seen = false;
}

Proof Proxy::check(const ControlRound& round) {
  const std::lock_guard lock(server_->mutex);
  server_->nonce.clear();
  if (server_->nonce_seen) return {"recorded"};
  return {"", {fmt::format("not recorded; the caller said \"{}\"", round.said(fetch_).text)}};
}

void Proxy::stop() {
  server_->shut();
}

std::vector<Sighting> Proxy::sightings() const {
  const std::lock_guard lock(server_->mutex);
  return server_->seen;
}

evidence::ObserverRecord Proxy::record() const {
  const std::lock_guard lock(server_->mutex);
  evidence::ObserverRecord record;
  record.name = "proxy";
  record.role = evidence::Role::proof;
  record.sees = "every request of a program that honours the proxy variables, with its target";
  record.misses = "a program that dials by itself; anything but HTTP";
  record.started = server_->started;
  record.ended = server_->ended;
  record.lost = server_->lost;
  record.failure = server_->failure;
  return record;
}

std::vector<evidence::Row> Proxy::rows(const evidence::HostStamp&) const {
  const std::lock_guard lock(server_->mutex);
  return {
      {"requests at the proxy", static_cast<std::int64_t>(server_->seen.size()), "",
       "controls left out; each went nowhere, and was answered 502 where the file has no answer"}};
}

std::uint16_t Proxy::port() const {
  return server_->listener.port;
}

std::vector<std::pair<std::string, std::string>> Proxy::environment() const {
  const auto address = fmt::format("http://{}:{}", server_->listener.address, port());
  std::string itself = "127.0.0.1,::1,localhost";
  for (const auto& host : direct_) itself += "," + host;
  return {{"HTTP_PROXY", address},  {"http_proxy", address}, {"HTTPS_PROXY", address},
          {"https_proxy", address}, {"ALL_PROXY", address},  {"all_proxy", address},
          {"NO_PROXY", itself},     {"no_proxy", itself}};
}

}  // namespace telltale::catcher
