// What one observer saw once. Sightings of one outgoing act are merged into an attempt
// (attempt.hpp).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "evidence/instant.hpp"

namespace telltale::catcher {

inline constexpr std::size_t kFirstBytes = 256;

// What became of what was said inside TLS.
enum class TlsPayload {
  none,    // there was no TLS
  unseen,  // it was not read
  read,    // with the authority of the run (tls/tls_pass.hpp)
  refused  // it was to be read, and the program did not take that authority
};

struct Sighting {
  std::string observer;
  evidence::Instant at;
  int launch = 0;     // from 1
  std::string phase;  // "set-up", "start", "drive", "idle", "stop"

  // "proxy" (a request that asked the proxy), "tcp" or "udp" (a connection, or packets), "dns" (a
  // question: host is the name that was asked for).
  std::string protocol;
  std::string host;     // destination: a name where one is known, else a numeric address
  std::string address;  // numeric destination, where host is a name; of a question, the resolver
  std::uint16_t port = 0;
  bool through_proxy =
      false;  // a connection to the proxy's own port: content is the proxy's to give

  // Of a request; empty for a bare connection.
  std::string method;
  std::string target;                     // as written: absolute form, or host:port of CONNECT
  std::vector<std::string> header_names;  // names only: values may hold secrets

  // What the caller said first, as one visible line; empty when that is not known.
  // "TLS hello, SNI example.com, ALPN h2", "GET http://example.com/", "nothing in 1 s"
  std::string said;
  std::string server_name;  // of a TLS or QUIC hello, as one visible line
  TlsPayload tls = TlsPayload::none;
  std::string tls_reason{};   // why it was not read, where that was tried: "alert: unknown CA"
  std::string first_bytes;    // raw; at most kFirstBytes, and only where they were not understood
  std::uint64_t payload = 0;  // bytes of the caller's that were read

  // Who answered it inside: "the file", "licence.har", "--answer http-200"; empty: nobody did.
  std::string answered_by{};
  int answer_status = 0;  // of HTTP

  std::uint16_t client_port = 0;  // local port of the caller; joins sightings of one connection
  pid_t pid = 0;                  // 0: its owner was gone or not ours before it could be asked
  std::string executable;         // path; empty with pid 0

  // Whose process it was: "companion db"; empty: the subject's, or not known.
  std::string party{};

  std::string command_line;           // arguments joined by spaces, at most 400 bytes
  std::vector<std::string> ancestry;  // executables, the parent first

  // What sort of act; empty: a plain connection or request. "nothing sent": a UDP socket was
  // connected and no packet followed. The other words are the observer's own (its header).
  std::string kind{};
  std::uint64_t count = 1;    // acts that this sighting stands for
  evidence::Instant last{};   // of the last of them; the epoch: as `at`
  std::uint64_t packets = 0;  // from the subject; 0: this observer counts none
  std::uint64_t bytes = 0;    // on the wire from the subject, headers included
};

// No act: what a program made for itself to act by, past the witness ("io_uring", "datagram
// socket").
[[nodiscard]] inline bool is_means(const std::string& kind) {
  return kind == "io_uring" || kind == "datagram socket";
}

}  // namespace telltale::catcher
