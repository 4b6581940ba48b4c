// A connected byte stream with deadlines: a socket, or TLS over one (tls_stream.hpp).
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string_view>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"
#include "subject/wire/deadline.hpp"

namespace telltale::subject {

enum class Io {
  done,
  answered,  // the peer speaks before it has read all; not everything was sent
  closed,    // the peer ended its side in order
  reset,     // the peer broke the connection
  late,
  interrupted
};

class Stream {
 public:
  struct Received {
    Io state = Io::done;
    std::size_t bytes = 0;  // at least 1 when done, else 0
  };

  virtual ~Stream() = default;
  [[nodiscard]] virtual Io send(std::string_view bytes, const Deadline& deadline) = 0;
  // Waits for at least one byte.
  [[nodiscard]] virtual Received receive(std::span<char> room, const Deadline& deadline) = 0;
  // What is there already; Io::late when nothing is.
  [[nodiscard]] virtual Received receive_now(std::span<char> room) = 0;
};

// A blocking read of the socket returns after this long with EAGAIN (SO_RCVTIMEO), and only then
// the deadline and the interruption are polled: an answer that comes sooner costs one system call.
inline constexpr std::chrono::milliseconds kReadSlice{50};

[[nodiscard]] std::unique_ptr<Stream> plain_stream(FileDescriptor connected);

// What a failed exchange reads like: "127.0.0.1:8080 closed the connection before it answered".
// `stage` completes the sentence: "before it answered", "in the middle of its answer".
[[nodiscard]] Error stream_error(Io state, const std::string& peer, std::string_view stage,
                                 const Deadline& deadline);

}  // namespace telltale::subject
