// The ClientHello of TLS (RFC 8446 section 4.1.2, RFC 6066 section 3, RFC 7301, RFC 9849): what a
// program says in the clear before any key is agreed on, so it is read without touching anything.
//
// A hello may come in several records, and a record in several reads; what can be read of a hello
// that was cut is given. It does not see: the inner name of an encrypted hello, only that it is
// one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

inline constexpr std::size_t kClientHelloLimit = 64 * 1024;  // bytes of one hello
inline constexpr std::size_t kAlpnLimit = 8;                 // protocols that are kept

struct ClientHello {
  std::string server_name;        // raw bytes of the subject, at most 255
  std::vector<std::string> alpn;  // raw too
  std::uint16_t version = 0;      // the highest that is offered: 0x0304 is TLS 1.3
  bool encrypted_inner = false;   // it carries an encrypted hello
};

struct HelloReading {
  Shape shape = Shape::foreign;
  ClientHello hello;
};

// Bytes of a TCP stream from its start: TLS records.
[[nodiscard]] HelloReading read_client_hello(Bytes stream);
// A handshake message without records: what QUIC carries in CRYPTO frames.
[[nodiscard]] HelloReading read_hello_message(Bytes handshake);

// "TLS 1.3"; "" for a number that is none.
[[nodiscard]] std::string tls_version_name(std::uint16_t version);

}  // namespace telltale::catcher::wire
