// Where a door connects: a TCP port of the subject or a unix socket.
//
// Every socket is made by the enclosure, because the subject's 127.0.0.1 may not be the tool's. No
// name is ever looked up: a look-up could leave the machine. A host is an address or "localhost",
// which is tried as 127.0.0.1 and then as ::1.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "evidence/result.hpp"
#include "subject/enclosure.hpp"
#include "subject/file_descriptor.hpp"
#include "subject/wire/deadline.hpp"

namespace telltale::subject {

struct Endpoint {
  std::string host;  // "127.0.0.1", "::1", "localhost"
  std::uint16_t port = 0;
  std::string path;  // of a unix socket; "@name" is an abstract one. When set, no host

  [[nodiscard]] std::string text() const;  // "127.0.0.1:8080", "[::1]:8080", "/run/notes.sock"
  bool operator==(const Endpoint&) const = default;
};

// Where a connection really led: "localhost" is an address by then.
struct Peer {
  Endpoint endpoint;   // empty: nothing was connected
  pid_t listener = 0;  // of a unix socket: the process that called listen(2), SO_PEERCRED
  [[nodiscard]] bool known() const { return endpoint.port != 0 || !endpoint.path.empty(); }
  bool operator==(const Peer&) const = default;
};

struct Connected {
  FileDescriptor socket;
  Peer peer;
};

// A connected, blocking stream socket whose reads give up after kReadSlice (stream.hpp).
// Fault::subject when nothing listens there or it does not accept in time; Fault::input for a host
// that is a name or a path that is too long for a socket (107 bytes).
[[nodiscard]] Result<Connected> connect_to(Enclosure& enclosure, const Endpoint& endpoint,
                                           const Deadline& deadline);

}  // namespace telltale::subject
