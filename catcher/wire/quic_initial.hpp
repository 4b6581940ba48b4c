// QUIC Initial packets of a client, versions 1 and 2 (RFC 9000, 9001, 9369).
//
// Their keys come from the connection id that the client chose and a salt of the RFC, so whoever
// sees the packet can read it: the point of the keys is not secrecy. The payload holds CRYPTO
// frames, and these, joined, a ClientHello; one hello may come in several packets and several
// datagrams, its pieces in any order. Not read: other packets, other versions (only named), and an
// Initial of a connection that a server has answered, which uses an id of the server.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catcher/wire/client_hello.hpp"
#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

struct CryptoPiece {
  std::uint64_t offset = 0;
  std::vector<std::uint8_t> bytes;
};

struct QuicDatagram {
  std::uint32_t version = 0;             // of the first packet
  std::vector<std::uint8_t> connection;  // the destination connection id of the first packet
  std::size_t initials = 0;              // packets that were opened
  std::vector<CryptoPiece> pieces;
};

inline constexpr std::uint32_t kQuic1 = 0x00000001;
inline constexpr std::uint32_t kQuic2 = 0x6b3343cf;

// Empty when it does not begin like a QUIC packet with a long header. A packet whose tag does not
// fit is not opened, and ends the reading.
[[nodiscard]] std::optional<QuicDatagram> read_quic_datagram(Bytes datagram);

// The CRYPTO frames of an opened payload, up to a frame that an Initial does not need. Public for
// its tests: a payload that was not sealed never comes to it.
[[nodiscard]] std::vector<CryptoPiece> read_quic_frames(Bytes payload);

// Joins the CRYPTO frames of one connection, at most kCryptoLimit bytes.
class CryptoStream {
 public:
  static constexpr std::size_t kCryptoLimit = 16 * 1024;

  void add(const CryptoPiece& piece);
  // What was joined without a gap from the start.
  [[nodiscard]] HelloReading hello() const;

 private:
  std::vector<std::uint8_t> bytes_;
  std::map<std::size_t, std::size_t> ranges_;  // begin -> end, apart from each other
};

}  // namespace telltale::catcher::wire
