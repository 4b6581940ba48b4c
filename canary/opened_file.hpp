// A regular file under search: its pieces, which several threads may read, and what became of them.
#pragma once

#include <sys/stat.h>

#include <mutex>
#include <string>
#include <vector>

#include "canary/scanner.hpp"
#include "canary/unpack/unpacker.hpp"
#include "canary/unseen.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::canary {

class OpenedFile final : public Blob {
 public:
  // `before`: fstat(2) of the file when it was opened. `margin`: bytes that a range of data reaches
  // into the hole before it.
  OpenedFile(std::string path, subject::FileDescriptor fd, const struct stat& before,
             std::uint64_t margin);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] std::uint64_t size() const override {
    return static_cast<std::uint64_t>(before_.st_size);
  }
  [[nodiscard]] ssize_t read_at(std::uint64_t offset, char* into, std::size_t size) const override;

  // At most 32 MiB each; the last goes on to the end of the file wherever that is by then.
  [[nodiscard]] const std::vector<Range>& pieces() const { return pieces_; }

  // By any thread. True for the last piece: what follows may be asked by that thread alone.
  [[nodiscard]] bool add(ScannedRange scanned);

  [[nodiscard]] const Occurrences& found() const { return found_; }
  [[nodiscard]] const std::string& head() const { return head_; }
  [[nodiscard]] std::uint64_t read() const { return read_; }
  [[nodiscard]] std::uint64_t holes() const { return holes_; }
  // Bytes that were there when the file was opened and were not read.
  [[nodiscard]] std::uint64_t unread() const;
  // What could not be seen of this file, or was seen while it changed.
  [[nodiscard]] std::vector<Unseen> unseen() const;

 private:
  std::string path_;
  subject::FileDescriptor fd_;
  struct stat before_;
  std::vector<Range> pieces_;
  std::uint64_t holes_ = 0;

  std::mutex mutex_;
  std::size_t added_ = 0;
  Occurrences found_;
  std::string head_;
  std::uint64_t read_ = 0;
  int error_ = 0;
};

}  // namespace telltale::canary
