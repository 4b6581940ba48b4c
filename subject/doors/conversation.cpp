#include "subject/doors/conversation.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "subject/doors/door.hpp"
#include "subject/doors/group.hpp"
#include "subject/quote.hpp"

namespace telltale::subject {

namespace {
constexpr std::size_t kWordsLimit = 16 * 1024;  // bytes kept of stderr
constexpr Milliseconds kGrace{500};             // after each of the two polite ways to end it
}  // namespace

Conversation::Conversation(std::unique_ptr<Process> process, FileDescriptor input,
                           PipeReader output, PipeReader errors, char end_mark)
    : process_(std::move(process)),
      input_(plain_stream(std::move(input))),
      output_(std::move(output)),
      errors_(std::move(errors)),
      end_mark_(end_mark) {}

Conversation::~Conversation() {
  if (!process_) return;
  input_.reset();
  if (wait_for(process_->ended_fd(), POLLIN, Deadline(kGrace)) == Wait::late) {
    process_->signal(SIGTERM);
    (void)wait_for(process_->ended_fd(), POLLIN, Deadline(kGrace));
  }
  end_group(*process_);
}

Result<Conversation> Conversation::start(Enclosure& enclosure, ProcessPlan plan, char end_mark) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(Fault::instrument, std::string("no socket pair: ") + strerror(errno),
                "raise the limit of open files (ulimit -n)");
  FileDescriptor ours(ends[0]);
  plan.input = FileDescriptor(ends[1]);
  auto output = PipeReader::make(plan.output, kAnswerLimit);
  if (!output) return pass_on(std::move(output.error()));
  auto errors = PipeReader::make(plan.errors, kWordsLimit);
  if (!errors) return pass_on(std::move(errors.error()));
  auto process = enclosure.start(std::move(plan));
  if (!process) return pass_on(std::move(process.error()));
  return Conversation(std::move(*process), std::move(ours), std::move(*output), std::move(*errors),
                      end_mark);
}

bool Conversation::take_message(std::string& message) {
  auto& text = output_.text();
  const auto end = text.find(end_mark_);
  if (end == text.npos) return false;
  message.assign(text, 0, end);
  text.erase(0, end + 1);
  return true;
}

Io Conversation::read(std::string& message, const Deadline& deadline) {
  while (!take_message(message)) {
    if (output_.fd() < 0 || output_.cut()) return Io::closed;
    std::array<pollfd, 2> all{pollfd{output_.fd(), POLLIN, 0}, pollfd{errors_.fd(), POLLIN, 0}};
    const Wait wait = wait_for(all, deadline);
    if (wait != Wait::ready) return wait == Wait::late ? Io::late : Io::interrupted;
    if (all[0].revents != 0) output_.take();
    if (all[1].revents != 0) errors_.take();
  }
  return Io::done;
}

std::string Conversation::last_words() {
  errors_.take();
  std::string words;
  if (wait_for(process_->ended_fd(), POLLIN, Deadline(Milliseconds{100})) == Wait::ready) {
    words = "; it ended with " + end_group(*process_).text();
    process_.reset();
  }
  if (output_.cut()) words += "; it wrote a message of more than 16 MiB";
  if (!errors_.text().empty()) words += "; on standard error: " + quote(errors_.text());
  return words;
}

}  // namespace telltale::subject
