// The MCP door: one method of a server, over streamable HTTP or stdio, in the era that the server
// speaks. The era is found once, at the first call, as the 2026-07-28 versioning page advises: ask
// `server/discover`, and fall back to `initialize` on anything that is not a modern answer.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "subject/doors/makers.hpp"
#include "subject/doors/mcp/transport.hpp"
#include "subject/quote.hpp"

namespace telltale::subject {

namespace {

using nlohmann::json;

std::string dumped(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

std::string rpc_error(const json& error) {
  const auto code = error.is_object() && error.contains("code") ? dumped(error["code"]) : "";
  return fmt::format("error {}: {}", code, text_of(error, "message"));
}

// Why a result is none, or an empty text: a tool that failed says so inside its result, and a
// modern server may ask for more input instead of answering.
std::string result_error(const json& result) {
  if (!result.is_object()) return {};
  if (text_of(result, "resultType") == "input_required")
    return "asks for input, and a door has none";
  if (result.value("isError", json(false)) == true) return "the tool reports an error";
  return {};
}

Error not_mcp(const mcp::Reply& reply, std::string_view asked) {
  const auto status = reply.status == 0 ? std::string() : fmt::format(" (status {})", reply.status);
  return {Fault::subject,
          fmt::format("no JSON-RPC answer to {}{}: {}", asked, status, quote(reply.text)),
          {}};
}

class McpDoor final : public Door {
 public:
  McpDoor(McpCall call, const DoorContext& context)
      : call_(std::move(call)),
        transport_(call_.command.empty() ? mcp::http_transport(call_, context)
                                         : mcp::stdio_transport(call_, context)) {}

  Result<> prepare(const Variables& variables) override;
  Result<Answer> call(Milliseconds limit) override;
  [[nodiscard]] Peer peer() const override { return transport_->peer(); }
  [[nodiscard]] pid_t helper() const override { return transport_->helper(); }

 private:
  struct Exchanged {
    mcp::Reply reply;
    json response;
  };
  [[nodiscard]] Result<Exchanged> ask(Milliseconds limit);
  [[nodiscard]] Result<Exchanged> ask(const mcp::Message& message, Milliseconds limit);
  // Each of the three takes at most `limit`.
  [[nodiscard]] Result<> open_session(Milliseconds limit);
  [[nodiscard]] Result<> shake_hands(Milliseconds limit);
  [[nodiscard]] Result<> load();
  [[nodiscard]] Result<Answer> answer(Exchanged exchanged) const;
  [[nodiscard]] bool session_is_over(const Result<Exchanged>& exchanged) const;

  McpCall call_;
  std::unique_ptr<mcp::Transport> transport_;
  json params_;
  std::optional<mcp::Session> session_;  // none: the era is not known yet
  pid_t server_ = 0;                     // of stdio: whose session it is
  std::uint64_t next_id_ = mcp::kFirstId;
};

Result<> McpDoor::prepare(const Variables& variables) {
  auto params = call_.params ? variables.expand(*call_.params) : Result<json>(json());
  if (!params) return pass_on(std::move(params.error()));
  auto prepared = transport_->prepare(variables);
  if (!prepared) return prepared;
  params_ = std::move(*params);
  return session_ ? load() : Result<>();
}

Result<> McpDoor::load() {
  auto message = mcp::request(call_.call, params_, *session_);
  if (!message) return pass_on(std::move(message.error()));
  return transport_->load(*message);
}

Result<McpDoor::Exchanged> McpDoor::ask(Milliseconds limit) {
  const auto id = next_id_++;
  auto reply = transport_->exchange(id, limit);
  if (!reply) return pass_on(std::move(reply.error()));
  auto response = mcp::response_of(*reply, id);
  return Exchanged{std::move(*reply), std::move(response)};
}

Result<McpDoor::Exchanged> McpDoor::ask(const mcp::Message& message, Milliseconds limit) {
  auto loaded = transport_->load(message);
  if (!loaded) return pass_on(std::move(loaded.error()));
  return ask(limit);
}

// A legacy server may stay silent to an unknown method before `initialize`, or even end: only a
// connection that cannot be made or an interruption ends the search for the era.
Result<> McpDoor::open_session(Milliseconds limit) {
  auto probed = ask(mcp::discover(), limit / 2);
  if (!probed && probed.error().fault != Fault::subject) return pass_on(std::move(probed.error()));
  if (probed && mcp::era_of(probed->response) == mcp::Era::modern) {
    session_.emplace();
  } else if (auto shaken = shake_hands(limit); !shaken) {
    auto error = std::move(shaken.error());
    if (!probed && error.fault == Fault::subject)
      error.what += "; before that, server/discover: " + probed.error().what;
    return pass_on(std::move(error));
  }
  server_ = transport_->helper();
  return load();
}

Result<> McpDoor::shake_hands(Milliseconds limit) {
  auto begun = ask(mcp::initialize(), limit);
  if (!begun) return pass_on(std::move(begun.error()));
  const json result =
      begun->response.is_object() ? begun->response.value("result", json()) : json();
  if (!result.is_object()) return pass_on(not_mcp(begun->reply, "initialize"));
  mcp::Session session{mcp::Era::legacy, text_of(result, "protocolVersion"), begun->reply.session};
  if (session.version.empty()) session.version = mcp::kLegacyVersion;
  auto told = ask(mcp::initialized(session), limit);
  if (!told) return pass_on(std::move(told.error()));
  session_ = std::move(session);
  return {};
}

// A server may forget a session (404 says so), and a new process of stdio has none.
bool McpDoor::session_is_over(const Result<Exchanged>& exchanged) const {
  if (!session_ || session_->era == mcp::Era::modern) return false;
  return exchanged && !session_->id.empty() && exchanged->reply.status == 404;
}

Result<Answer> McpDoor::call(Milliseconds limit) {
  if (session_ && server_ != transport_->helper()) session_.reset();
  for (bool again = true;; again = false) {
    if (!session_) {
      auto opened = open_session(limit);
      if (!opened) return pass_on(std::move(opened.error()));
    }
    auto exchanged = ask(limit);
    if (again && session_is_over(exchanged)) {
      session_.reset();
      continue;
    }
    if (!exchanged) return pass_on(std::move(exchanged.error()));
    return answer(std::move(*exchanged));
  }
}

Result<Answer> McpDoor::answer(Exchanged exchanged) const {
  auto& [reply, response] = exchanged;
  Answer answer;
  if (response.is_object() && response.contains("result")) {
    answer.body = dumped(response["result"]);
    answer.error = result_error(response["result"]);
  } else if (response.is_object() && response.contains("error")) {
    answer.body = dumped(response["error"]);
    answer.error = rpc_error(response["error"]);
  } else {
    return pass_on(not_mcp(reply, call_.call));
  }
  answer.cut = reply.cut;
  answer.cookies = std::move(reply.cookies);
  answer.took = reply.took;
  return answer;
}

}  // namespace

MadeDoor make_mcp_door(const Step& step, const DoorContext& context) {
  return std::make_unique<McpDoor>(std::get<McpCall>(step.call), context);
}

}  // namespace telltale::subject
