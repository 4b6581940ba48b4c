// stdio: the door starts the server, in the subject's environment, folder and user, and writes one
// message a line to it. The server lives until the door is closed.
#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <utility>

#include "subject/doors/conversation.hpp"
#include "subject/doors/mcp/transport.hpp"

namespace telltale::subject::mcp {

namespace {

class StdioTransport final : public Transport {
 public:
  StdioTransport(const McpCall& call, const DoorContext& context)
      : call_(call), context_(context) {}

  Result<> prepare(const Variables& variables) override {
    auto command = variables.expand(call_.command);
    if (!command) return pass_on(std::move(command.error()));
    if (command_ != *command) stop();
    command_ = std::move(*command);
    return {};
  }

  Result<> load(const Message& message) override {
    line_ = message.text + "\n";
    id_at_ = message.id_at;
    return {};
  }

  Result<Reply> exchange(std::uint64_t id, Milliseconds limit) override;
  [[nodiscard]] pid_t helper() const override { return pid_; }

 private:
  [[nodiscard]] Result<> start();
  [[nodiscard]] Io read_response(std::uint64_t id, const Deadline& deadline, std::string& line);
  void refuse(const std::string& line, const Deadline& deadline);
  void stop() {
    pid_ = 0;
    server_.reset();
  }

  McpCall call_;
  DoorContext context_;
  Argv command_;
  std::string line_;
  std::optional<std::size_t> id_at_;
  std::optional<Conversation> server_;
  std::atomic<pid_t> pid_ = 0;
};

Result<> StdioTransport::start() {
  ProcessPlan plan;
  plan.argv = command_;
  plan.environment = context_.environment;
  plan.folder = context_.folder;
  plan.user = context_.user;
  auto server = Conversation::start(context_.enclosure, std::move(plan), '\n');
  if (!server) return pass_on(std::move(server.error()));
  server_.emplace(std::move(*server));
  pid_ = server_->pid();
  return {};
}

Result<Reply> StdioTransport::exchange(std::uint64_t id, Milliseconds limit) {
  if (!server_) {
    auto started = start();
    if (!started) return pass_on(std::move(started.error()));
  }
  if (id_at_) write_id(line_, *id_at_, id);
  const Deadline deadline(limit, context_.interrupt_fd);
  Reply reply;
  Io state = server_->write(line_, deadline);
  if (state == Io::done && id_at_) state = read_response(id, deadline, reply.text);
  reply.took = deadline.elapsed();
  if (state == Io::done) return reply;
  auto error = stream_error(state, command_.front(), "before it answered", deadline);
  if (state != Io::late && error.fault == Fault::subject) {
    error.what += server_->last_words();
    stop();
  }
  return pass_on(std::move(error));
}

// Lines without the digits of the id are notifications, log lines, answers that came too late, or
// requests of the server.
Io StdioTransport::read_response(std::uint64_t id, const Deadline& deadline, std::string& line) {
  const auto digits = fmt::format("{}", id);
  for (;;) {
    const Io state = server_->read(line, deadline);
    if (state != Io::done || line.find(digits) != std::string::npos) return state;
    refuse(line, deadline);
  }
}

// A server may ping its client, and must not ask it for more: no capability was announced.
void StdioTransport::refuse(const std::string& line, const Deadline& deadline) {
  using nlohmann::json;
  const json asked = json::parse(line, nullptr, false);
  if (!asked.is_object() || !asked.contains("id") || !asked.contains("method")) return;
  json answer{{"jsonrpc", "2.0"}, {"id", asked["id"]}};
  if (asked["method"] == "ping") {
    answer["result"] = json::object();
  } else {
    answer["error"] = {{"code", -32601}, {"message", "this client offers no methods"}};
  }
  (void)server_->write(answer.dump() + "\n", deadline);
}

}  // namespace

std::unique_ptr<Transport> stdio_transport(const McpCall& call, const DoorContext& context) {
  return std::make_unique<StdioTransport>(call, context);
}

}  // namespace telltale::subject::mcp
