// What a subject prints: read from a pipe by a thread of its own, watched, counted, and kept up to
// a limit.
//
// The subject never blocks on a full pipe and never fills the disk: beyond the limit bytes are
// read, watched and counted, not kept. The reader ends when it is told to, not at the end of the
// stream: a descendant may hold the pipe open for ever.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::subject {

class Output {
 public:
  using Watcher = std::function<void(std::string_view)>;

  // The log is made anew; bytes above `limit` are not kept in it.
  [[nodiscard]] static Result<std::unique_ptr<Output>> open(const std::filesystem::path& log,
                                                            std::uint64_t limit);
  ~Output();

  // Called with every chunk, before the limit cuts it, in the reader's thread (append(): in the
  // caller's). Set while nothing is connected.
  void watch(Watcher watcher);
  // Starts the reader. The end for the writers; it is inherited by nobody by itself.
  [[nodiscard]] Result<FileDescriptor> connect();
  // Takes what the pipe holds now, then ends the reader and closes the pipe. A writer that is still
  // there gets SIGPIPE from now on. Nothing happens when nothing is connected.
  void finish();
  // As if it had been printed.
  void append(std::string_view text);

  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t kept() const;
  // The last lines, at most 64 KiB of them, cut off or not.
  [[nodiscard]] std::string last(std::size_t lines) const;
  // Why the log is shorter than it should be ("no space left on device"); empty: it is not.
  [[nodiscard]] std::string lost() const;

 private:
  struct State;
  explicit Output(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace telltale::subject
