// The kernel's messages of destroyed sockets: the SKNLGRP_INET_*_DESTROY groups of
// NETLINK_SOCK_DIAG (sock_diag(7)). They come from a work queue, a moment after the close.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "catcher/socket_diagnostics.hpp"
#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

// A member of the groups, of TCP and UDP, IPv4 and IPv6, in the network namespace of the calling
// thread; invalid: refused (errno).
[[nodiscard]] subject::FileDescriptor subscribe_to_closed_sockets();

class ClosedMessages {
 public:
  // Fault::instrument when the kernel refuses.
  [[nodiscard]] static Result<ClosedMessages> subscribe();

  // Readable when there is something; read from one thread.
  [[nodiscard]] int fd() const { return socket_.get(); }

  struct Read {
    bool some = false;
    std::uint64_t overruns = 0;  // times that the buffer was full: sockets were lost
  };
  // All that is there, without waiting.
  Read read_all(const std::function<void(const RawSocket&)>& each);

 private:
  explicit ClosedMessages(subject::FileDescriptor socket) : socket_(std::move(socket)) {}

  subject::FileDescriptor socket_;
  std::vector<char> buffer_ = std::vector<char>(256 * 1024);
};

}  // namespace telltale::catcher
