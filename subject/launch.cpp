#include "subject/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "subject/answered_by.hpp"
#include "subject/launch/preparation.hpp"
#include "subject/launch/setup.hpp"
#include "subject/launch/stopping.hpp"
#include "subject/launch/words.hpp"
#include "subject/output.hpp"
#include "subject/own_terminal.hpp"
#include "subject/process_tree.hpp"
#include "subject/readiness.hpp"
#include "subject/wire/deadline.hpp"

namespace telltale::subject {

namespace {

namespace fs = std::filesystem;

class PreparedLaunch final : public Launch {
 public:
  PreparedLaunch(const Specification& specification, Enclosure& enclosure,
                 const Interruption& interruption, Preparation preparation, LaunchOptions options);
  ~PreparedLaunch() override;

  Result<> set_up();
  Result<> start() override;
  StopReport stop() override;

  Variables& variables() override { return made_.variables; }
  [[nodiscard]] const Argv& command() const override { return made_.command; }
  [[nodiscard]] const Pairs& environment() const override { return made_.environment.variables; }
  [[nodiscard]] const std::vector<std::string>& inherited() const override {
    return made_.environment.inherited;
  }
  [[nodiscard]] Pairs secrets() const override { return made_.secrets; }
  [[nodiscard]] const std::vector<std::string>& removed_variables() const override {
    return made_.environment.removed;
  }
  [[nodiscard]] const std::vector<std::string>& opt_outs() const override {
    return made_.environment.opt_outs;
  }
  [[nodiscard]] const fs::path& work() const override { return made_.folders.work; }
  [[nodiscard]] const fs::path& data() const override { return made_.folders.data; }
  [[nodiscard]] const fs::path& home() const override { return made_.folders.home; }
  [[nodiscard]] const fs::path& tmp() const override { return made_.folders.tmp; }
  [[nodiscard]] const fs::path& log() const override { return log_; }
  [[nodiscard]] const fs::path& folder() const override { return made_.working_folder; }
  [[nodiscard]] const std::string& user() const override { return specification_.user; }
  [[nodiscard]] int root() const override { return enclosure_.root(); }
  [[nodiscard]] int interrupt_fd() const override { return interruption_.fd(); }

  [[nodiscard]] pid_t pid() const override { return pid_; }
  [[nodiscard]] bool running() override;
  [[nodiscard]] Error ended_error() override;
  [[nodiscard]] double boot_ms() const override { return boot_ms_; }
  [[nodiscard]] std::vector<pid_t> tree() const override;
  [[nodiscard]] std::vector<ListeningSocket> listeners() const override;
  [[nodiscard]] Result<> answered(const Peer& peer) const override;
  [[nodiscard]] std::string last_output(std::size_t lines) const override;
  void on_output(std::function<void(std::string_view)> watcher) override;

 private:
  [[nodiscard]] DoorContext door_context() const;
  [[nodiscard]] Result<> open_notify_socket();
  [[nodiscard]] Result<> start_process();
  [[nodiscard]] Result<ReadinessReport> wait_for_readiness();
  [[nodiscard]] bool alive(bool may_be_daemon);
  [[nodiscard]] Error not_ready(const ReadinessReport& report);
  [[nodiscard]] std::string quoted_output();
  [[nodiscard]] std::string where_output_is() const;
  [[nodiscard]] std::shared_ptr<ProcessTree> process_tree() const;

  Specification specification_;
  Enclosure& enclosure_;
  const Interruption& interruption_;
  Preparation made_;
  LaunchOptions options_;
  fs::path log_;

  std::unique_ptr<Output> output_;  // null: in the foreground
  std::unique_ptr<OwnTerminal> terminal_;
  std::optional<NotifySocket> notify_;
  std::unique_ptr<Process> process_;
  bool daemon_ = false;  // the main process ended in order, and its descendants are the subject
  double boot_ms_ = 0;
  StopReport report_;
  std::atomic<pid_t> pid_ = 0;

  mutable std::mutex tree_mutex_;  // of the pointer; the tree guards itself
  std::shared_ptr<ProcessTree> tree_;
};

PreparedLaunch::PreparedLaunch(const Specification& specification, Enclosure& enclosure,
                               const Interruption& interruption, Preparation preparation,
                               LaunchOptions options)
    : specification_(specification),
      enclosure_(enclosure),
      interruption_(interruption),
      made_(std::move(preparation)),
      options_(std::move(options)),
      log_(options_.log.empty() ? fs::path(made_.folders.work.string() + ".log") : options_.log) {}

PreparedLaunch::~PreparedLaunch() {
  stop();
  if (tree_ == nullptr) end_strays();
}

Result<> PreparedLaunch::set_up() {
  if (!options_.foreground) {
    auto output = Output::open(log_, kOutputLimit);
    if (!output) return pass_on(std::move(output.error()));
    output_ = std::move(*output);
  }
  if (auto opened = open_notify_socket(); !opened) return opened;
  if (output_ == nullptr) return {};
  auto done = run_setup(specification_.setup, door_context(), made_.variables, *output_);
  if (!done) done.error().what = made_.masker.mask(done.error().what);
  return done;
}

// Beside the work folder: what lies in that is what the subject wrote.
Result<> PreparedLaunch::open_notify_socket() {
  if (specification_.ready.kind != Readiness::Kind::notify) return {};
  const std::string path = made_.folders.work.string() + ".notify";
  auto socket = NotifySocket::open(path);
  if (!socket) return pass_on(std::move(socket.error()));
  notify_ = std::move(*socket);
  made_.environment.set("NOTIFY_SOCKET", path);
  return {};
}

Result<> PreparedLaunch::start() {
  stop();
  report_ = {};
  if (auto started = start_process(); !started) return started;
  const Deadline watch(Milliseconds(0));
  auto report = wait_for_readiness();
  boot_ms_ = std::chrono::duration<double, std::milli>(watch.elapsed()).count();
  if (report && report->waited == Waited::ready) return {};
  stop();
  if (!report) return pass_on(std::move(report.error()));
  return pass_on(not_ready(*report));
}

Result<> PreparedLaunch::start_process() {
  if (notify_) notify_->forget();
  ProcessPlan plan;
  plan.argv = made_.command;
  plan.environment = made_.environment.variables;
  plan.folder = made_.working_folder;
  plan.user = specification_.user;
  if (options_.place) plan.identity = options_.place->user;
  plan.foreground = options_.foreground;
  if (output_) {
    auto writer = output_->connect();
    if (!writer) return pass_on(std::move(writer.error()));
    plan.output = std::move(*writer);
  }
  if (options_.terminal) {
    auto terminal = OwnTerminal::open(plan.identity.value_or(made_.user));
    if (!terminal) return pass_on(std::move(terminal.error()));
    terminal_ = std::move(*terminal);
    plan.terminal = terminal_->connect();
  }
  auto process = enclosure_.start(std::move(plan));
  if (!process) return pass_on(std::move(process.error()));
  process_ = std::move(*process);
  daemon_ = false;
  pid_ = process_->pid();
  const std::lock_guard lock(tree_mutex_);
  tree_ = std::make_shared<ProcessTree>(process_->pid(), options_.foreground && !options_.terminal);
  return {};
}

Result<ReadinessReport> PreparedLaunch::wait_for_readiness() {
  const ReadinessContext context{door_context(),
                                 made_.variables,
                                 interruption_,
                                 notify_ ? &*notify_ : nullptr,
                                 process_->ended_fd(),
                                 [this] { return alive(true); },
                                 [this](const Peer& peer) { return answered(peer); }};
  return wait_until_ready(specification_.ready, context);
}

DoorContext PreparedLaunch::door_context() const {
  return {enclosure_, made_.environment.variables, made_.working_folder, specification_.user,
          interruption_.fd()};
}

bool PreparedLaunch::alive(bool may_be_daemon) {
  if (process_ == nullptr) return false;
  const auto exit = process_->poll();
  if (!exit) return true;
  if (!daemon_ && !(may_be_daemon && exit->clean())) return false;
  daemon_ = !process_tree()->look().empty();
  return daemon_;
}

// Without a way to see readiness nothing tells a daemon from a program that has ended and left
// something running.
bool PreparedLaunch::running() {
  return alive(specification_.ready.kind != Readiness::Kind::none);
}

StopReport PreparedLaunch::stop() {
  if (process_ == nullptr) return report_;
  const Stopped stopped = stop_subject(*process_, *process_tree(), specification_.stop, daemon_);
  report_.exit = stopped.exit;
  report_.exited_by_itself = stopped.by_itself;
  report_.killed = stopped.killed;
  report_.detached = stopped.outlived;
  report_.left = stopped.left;
  if (output_) {
    output_->finish();
    report_.output_bytes = output_->bytes();
    report_.output_kept = output_->kept();
    report_.output_lost = output_->lost();
  }
  terminal_.reset();
  process_.reset();
  return report_;
}

std::string PreparedLaunch::quoted_output() {
  if (!output_) return "its output is above";
  return last_printed(last_output(kQuotedLines));
}

std::string PreparedLaunch::where_output_is() const {
  return options_.log.empty() ? "run it by hand, or keep its whole output with --out DIR"
                              : "its whole output is in " + log_.string();
}

Error PreparedLaunch::not_ready(const ReadinessReport& report) {
  const std::string& name = specification_.name;
  if (report.waited == Waited::interrupted)
    return {Fault::interrupted, name + " was stopped before it was ready", {}};
  if (report.waited == Waited::ended)
    return {Fault::subject,
            fmt::format("{} ended before it was ready, with {}; {}", name, report_.exit.text(),
                        quoted_output()),
            where_output_is()};
  const auto seconds = std::chrono::duration<double>(specification_.ready.timeout).count();
  return {Fault::subject,
          fmt::format("{} was not ready within {} s: {}; {}", name, seconds,
                      made_.masker.mask(report.last_answer), quoted_output()),
          where_output_is() + "; a slow start needs a longer ready: timeout"};
}

Error PreparedLaunch::ended_error() {
  const auto exit = process_ ? process_->poll() : report_.exit;
  if (output_ && exit && !daemon_) output_->finish();
  return {Fault::subject,
          fmt::format("{} ended by itself, with {}; {}", specification_.name,
                      exit.value_or(Exit{}).text(), quoted_output()),
          where_output_is()};
}

std::shared_ptr<ProcessTree> PreparedLaunch::process_tree() const {
  const std::lock_guard lock(tree_mutex_);
  return tree_;
}

std::vector<pid_t> PreparedLaunch::tree() const {
  std::vector<pid_t> pids;
  const auto tree = process_tree();
  if (tree == nullptr) return pids;
  for (const auto& entry : tree->look()) pids.push_back(entry.pid);
  return pids;
}

std::vector<ListeningSocket> PreparedLaunch::listeners() const {
  const auto tree = process_tree();
  return tree == nullptr ? std::vector<ListeningSocket>() : listening_sockets(tree->look());
}

Result<> PreparedLaunch::answered(const Peer& peer) const {
  const auto tree = process_tree();
  return tree == nullptr ? Result<>() : answered_by(tree->look(), peer, made_.working_folder);
}

std::string PreparedLaunch::last_output(std::size_t lines) const {
  return output_ == nullptr ? std::string() : made_.masker.mask(output_->last(lines));
}

void PreparedLaunch::on_output(std::function<void(std::string_view)> watcher) {
  if (output_ != nullptr) output_->watch(std::move(watcher));
}

}  // namespace

Result<std::unique_ptr<Launch>> Launch::prepare(const Specification& specification,
                                                Enclosure& enclosure,
                                                const Interruption& interruption,
                                                const fs::path& scratch, LaunchOptions options) {
  auto made = prepare_launch(specification, enclosure, scratch, options);
  if (!made) return pass_on(std::move(made.error()));
  auto launch = std::make_unique<PreparedLaunch>(specification, enclosure, interruption,
                                                 std::move(*made), std::move(options));
  if (auto done = launch->set_up(); !done) return pass_on(std::move(done.error()));
  return launch;
}

}  // namespace telltale::subject
