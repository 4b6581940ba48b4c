#include "subject/wire/stream.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace telltale::subject {

namespace {

Io after(Wait wait) {
  return wait == Wait::interrupted ? Io::interrupted : Io::late;
}

class PlainStream final : public Stream {
 public:
  explicit PlainStream(FileDescriptor connected) : socket_(std::move(connected)) {}

  Io send(std::string_view bytes, const Deadline& deadline) override {
    while (!bytes.empty()) {
      const auto sent =
          ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN) {
        const Io room = wait_for_room(deadline);
        if (room != Io::done) return room;
      } else if (errno != EINTR) {
        return Io::reset;
      }
    }
    return Io::done;
  }

  Received receive(std::span<char> room, const Deadline& deadline) override {
    bool poll_first = deadline.left_ms() < kReadSlice.count();
    for (;;) {
      if (poll_first) {
        const Wait wait = wait_for(socket_.get(), POLLIN, deadline);
        if (wait != Wait::ready) return {after(wait), 0};
      }
      const Received got = read(room, 0);
      if (got.state != Io::late) return got;
      poll_first = true;
    }
  }

  Received receive_now(std::span<char> room) override { return read(room, MSG_DONTWAIT); }

 private:
  // A peer that answers without reading the rest (413, then silence) must not hold both up.
  Io wait_for_room(const Deadline& deadline) {
    pollfd one{socket_.get(), POLLOUT | POLLIN, 0};
    const Wait wait = wait_for(std::span(&one, 1), deadline);
    if (wait != Wait::ready) return after(wait);
    return (one.revents & POLLOUT) != 0 ? Io::done : Io::answered;
  }

  Received read(std::span<char> room, int flags) {
    for (;;) {
      const auto count = ::recv(socket_.get(), room.data(), room.size(), flags);
      if (count > 0) return {Io::done, static_cast<std::size_t>(count)};
      if (count == 0) return {Io::closed, 0};
      if (errno == EAGAIN) return {Io::late, 0};
      if (errno != EINTR) return {Io::reset, 0};
    }
  }

  FileDescriptor socket_;
};

}  // namespace

std::unique_ptr<Stream> plain_stream(FileDescriptor connected) {
  return std::make_unique<PlainStream>(std::move(connected));
}

Error stream_error(Io state, const std::string& peer, std::string_view stage,
                   const Deadline& deadline) {
  switch (state) {
    case Io::interrupted:
      return {Fault::interrupted, "interrupted while " + peer + " was asked", {}};
    case Io::late:
      return {Fault::subject,
              fmt::format("{} ran out of time {}: {} ms had passed", peer, stage,
                          deadline.limit().count()),
              {}};
    case Io::reset:
      return {Fault::subject, fmt::format("{} broke the connection {}", peer, stage), {}};
    default:
      return {Fault::subject, fmt::format("{} closed the connection {}", peer, stage), {}};
  }
}

}  // namespace telltale::subject
