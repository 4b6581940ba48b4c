// The reading end of a pipe that a door's program writes to.
#pragma once

#include <cstddef>
#include <string>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::subject {

class PipeReader {
 public:
  // `writer` becomes the end for the program. At most `limit` bytes are kept; the rest is read, so
  // that the program does not block, and dropped.
  [[nodiscard]] static Result<PipeReader> make(FileDescriptor& writer, std::size_t limit);

  // -1 once every writer is gone: poll(2) then skips it.
  [[nodiscard]] int fd() const { return reader_.get(); }
  // Takes what is there, a few MiB at most, so that a flood does not hold up the deadline.
  void take();
  [[nodiscard]] std::string& text() { return text_; }
  [[nodiscard]] bool cut() const { return cut_; }

 private:
  PipeReader(FileDescriptor reader, std::size_t limit);

  FileDescriptor reader_;
  std::size_t limit_;
  std::string text_;
  bool cut_ = false;
};

}  // namespace telltale::subject
