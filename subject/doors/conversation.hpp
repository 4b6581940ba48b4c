// A program that a door talks with: messages on its standard input and output, each ended by one
// character.
//
// It lives until this object does: its input is then closed, after a while it gets SIGTERM, and
// then its process group is killed. Its standard error is kept for messages. Its input is a socket,
// because a write to a pipe without a reader would raise SIGPIPE.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "subject/doors/pipe_reader.hpp"
#include "subject/enclosure.hpp"
#include "subject/wire/stream.hpp"

namespace telltale::subject {

class Conversation {
 public:
  // `plan` says command, environment, folder and user; its three streams are set here.
  [[nodiscard]] static Result<Conversation> start(Enclosure& enclosure, ProcessPlan plan,
                                                  char end_mark);
  Conversation(Conversation&&) = default;
  Conversation& operator=(Conversation&&) = delete;
  ~Conversation();

  // 0: it has ended, and last_words() said so.
  [[nodiscard]] pid_t pid() const { return process_ == nullptr ? 0 : process_->pid(); }
  // As it is: the end mark is the caller's to write.
  [[nodiscard]] Io write(std::string_view message, const Deadline& deadline) {
    return input_->send(message, deadline);
  }
  // The next whole message, without its end mark; Io::closed when the program has ended, closed its
  // output, or wrote one of more than kAnswerLimit bytes.
  [[nodiscard]] Io read(std::string& message, const Deadline& deadline);
  // Why it says no more: "; it ended with exit status 1; on standard error: ...".
  [[nodiscard]] std::string last_words();

 private:
  Conversation(std::unique_ptr<Process> process, FileDescriptor input, PipeReader output,
               PipeReader errors, char end_mark);
  bool take_message(std::string& message);

  std::unique_ptr<Process> process_;
  std::unique_ptr<Stream> input_;
  PipeReader output_;
  PipeReader errors_;
  char end_mark_;
};

}  // namespace telltale::subject
