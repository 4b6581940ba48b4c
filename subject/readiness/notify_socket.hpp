// The receiving end of sd_notify(3): a datagram socket that the subject finds in NOTIFY_SOCKET.
//
// Understood: READY=1, and STATUS= for messages. A descriptor that comes along (FDSTORE=1,
// BARRIER=1) is closed, which is what sd_notify_barrier(3) waits for. Whoever can reach the path
// may write to it; it lies in the launch's own folder.
#pragma once

#include <filesystem>
#include <string>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::subject {

class NotifySocket {
 public:
  // Open for every user to write to. Fault::instrument when the path is too long for a socket (107
  // bytes).
  [[nodiscard]] static Result<NotifySocket> open(const std::filesystem::path& path);
  NotifySocket(NotifySocket&&) = default;
  NotifySocket& operator=(NotifySocket&&) = default;

  [[nodiscard]] int fd() const { return socket_.get(); }
  // Reads what has come. True once READY=1 was among it.
  bool ready();
  // Drops what has come so far: before another start.
  void forget();
  [[nodiscard]] const std::string& status() const { return status_; }

 private:
  NotifySocket() = default;
  void read_message(std::string_view message);

  FileDescriptor socket_;
  bool ready_ = false;
  std::string status_;
};

}  // namespace telltale::subject
