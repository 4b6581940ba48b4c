// stdio: the door starts the server, in the subject's environment, folder and user, and writes one
// message a line to it. The server lives until the door is closed: its input is then closed, after
// a while it gets SIGTERM, and then its process group is killed. Its standard error is kept for
// messages. Its input is a socket, because a write to a pipe without a reader would raise SIGPIPE.
#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "subject/doors/group.hpp"
#include "subject/doors/mcp/transport.hpp"
#include "subject/doors/pipe_reader.hpp"
#include "subject/quote.hpp"
#include "subject/wire/stream.hpp"

namespace telltale::subject::mcp {

namespace {

constexpr std::size_t kErrorsLimit = 16 * 1024;  // bytes kept of stderr
constexpr Milliseconds kGrace{500};              // after each of the two polite ways to end it

// A server that runs.
class Server {
 public:
  Server(std::unique_ptr<Process> process, FileDescriptor input, PipeReader output,
         PipeReader errors)
      : process_(std::move(process)),
        input_(plain_stream(std::move(input))),
        output_(std::move(output)),
        errors_(std::move(errors)) {}
  Server(Server&&) = default;
  Server& operator=(Server&&) = delete;
  ~Server() {
    if (!process_) return;
    input_.reset();
    if (wait_for(process_->ended_fd(), POLLIN, Deadline(kGrace)) == Wait::late) {
      process_->signal(SIGTERM);
      (void)wait_for(process_->ended_fd(), POLLIN, Deadline(kGrace));
    }
    end_group(*process_);
  }

  [[nodiscard]] pid_t pid() const { return process_->pid(); }
  [[nodiscard]] Io write(std::string_view line, const Deadline& deadline) {
    return input_->send(line, deadline);
  }
  // The next whole line; Io::closed when the server has ended or closed its output.
  [[nodiscard]] Io read_line(std::string& line, const Deadline& deadline);
  [[nodiscard]] std::string last_words();

 private:
  bool take_line(std::string& line);

  std::unique_ptr<Process> process_;
  std::unique_ptr<Stream> input_;
  PipeReader output_;
  PipeReader errors_;
};

bool Server::take_line(std::string& line) {
  auto& text = output_.text();
  const auto end = text.find('\n');
  if (end == text.npos) return false;
  line.assign(text, 0, end);
  text.erase(0, end + 1);
  return true;
}

Io Server::read_line(std::string& line, const Deadline& deadline) {
  while (!take_line(line)) {
    if (output_.fd() < 0 || output_.cut()) return Io::closed;
    std::array<pollfd, 2> all{pollfd{output_.fd(), POLLIN, 0}, pollfd{errors_.fd(), POLLIN, 0}};
    const Wait wait = wait_for(all, deadline);
    if (wait != Wait::ready) return wait == Wait::late ? Io::late : Io::interrupted;
    if (all[0].revents != 0) output_.take();
    if (all[1].revents != 0) errors_.take();
  }
  return Io::done;
}

std::string Server::last_words() {
  errors_.take();
  std::string words;
  if (wait_for(process_->ended_fd(), POLLIN, Deadline(Milliseconds{100})) == Wait::ready) {
    words = "; it ended with " + end_group(*process_).text();
    process_.reset();
  }
  if (output_.cut()) words += "; it wrote a line of more than 16 MiB";
  if (!errors_.text().empty()) words += "; on standard error: " + quote(errors_.text());
  return words;
}

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
  std::optional<Server> server_;
  std::atomic<pid_t> pid_ = 0;
};

Result<> StdioTransport::start() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(Fault::instrument, std::string("no socket pair: ") + strerror(errno),
                "raise the limit of open files (ulimit -n)");
  FileDescriptor ours(ends[0]);
  ProcessPlan plan;
  plan.input = FileDescriptor(ends[1]);
  plan.argv = command_;
  plan.environment = context_.environment;
  plan.folder = context_.folder;
  plan.user = context_.user;
  auto output = PipeReader::make(plan.output, kAnswerLimit);
  if (!output) return pass_on(std::move(output.error()));
  auto errors = PipeReader::make(plan.errors, kErrorsLimit);
  if (!errors) return pass_on(std::move(errors.error()));
  auto process = context_.enclosure.start(std::move(plan));
  if (!process) return pass_on(std::move(process.error()));
  server_.emplace(std::move(*process), std::move(ours), std::move(*output), std::move(*errors));
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
    const Io state = server_->read_line(line, deadline);
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
