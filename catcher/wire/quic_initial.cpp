#include "catcher/wire/quic_initial.hpp"

#include <algorithm>

#include "catcher/wire/quic_keys.hpp"

namespace telltale::catcher::wire {

namespace {

constexpr std::size_t kConnectionLimit = 20;  // bytes of a connection id (RFC 9000 section 17.2)
constexpr std::size_t kSample = 16;
constexpr std::size_t kPacketLimit = 16;  // packets of one datagram
constexpr std::size_t kRangeLimit = 64;   // pieces of one stream that do not touch

// A number of 1, 2, 4 or 8 bytes (RFC 9000 section 16).
std::uint64_t variable_number(Reader& reader) {
  const auto first = reader.u8();
  std::uint64_t value = first & 0x3f;
  for (const auto byte : reader.take((std::size_t{1} << (first >> 6)) - 1))
    value = value << 8 | byte;
  return reader.good() ? value : 0;
}

enum class PacketType { initial, early_data, other };

PacketType packet_type(std::uint32_t version, std::uint8_t first) {
  const int bits = first >> 4 & 3;
  const int initial = version == kQuic2 ? 1 : 0;
  if (bits == initial) return PacketType::initial;
  return bits == initial + 1 ? PacketType::early_data : PacketType::other;
}

struct LongHeader {
  std::uint8_t first = 0;
  std::uint32_t version = 0;
  Bytes connection;
};

std::optional<LongHeader> read_long_header(Reader& reader) {
  LongHeader header;
  header.first = reader.u8();
  if ((header.first & 0x80) == 0) return {};
  header.version = reader.u32();
  const auto destination = reader.u8();
  if (destination > kConnectionLimit) return {};
  header.connection = reader.take(destination);
  const auto source = reader.u8();
  if (source > kConnectionLimit) return {};
  reader.take(source);
  return reader.good() ? std::optional(header) : std::nullopt;
}

// `packet` is from the first byte to the end of the payload, the packet number at `number_at`.
std::optional<std::vector<std::uint8_t>> open_packet(const LongHeader& header, Bytes packet,
                                                     std::size_t number_at) {
  const auto keys = quic_client_keys(header.version, header.connection);
  if (!keys || packet.size() < number_at + 4 + kSample) return {};
  const auto mask = quic_header_mask(*keys, packet.subspan(number_at + 4, kSample));
  std::vector<std::uint8_t> clear(packet.begin(),
                                  packet.begin() + static_cast<std::ptrdiff_t>(number_at + 4));
  clear[0] = static_cast<std::uint8_t>(clear[0] ^ (mask[0] & 0x0f));
  const std::size_t width = (clear[0] & 3u) + 1;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width; ++i) {
    clear[number_at + i] ^= mask[1 + i];
    number = number << 8 | clear[number_at + i];
  }
  clear.resize(number_at + width);
  return open_quic_payload(*keys, number, clear, packet.subspan(number_at + width));
}

void skip_acknowledgement(Reader& reader, bool with_counts) {
  variable_number(reader);  // largest
  variable_number(reader);  // delay
  auto ranges = variable_number(reader);
  variable_number(reader);  // first range
  for (; ranges > 0 && reader.good(); --ranges) {
    variable_number(reader);
    variable_number(reader);
  }
  for (int i = 0; with_counts && i < 3; ++i) variable_number(reader);
}

// False when nothing after this packet can be read.
bool read_packet(Bytes rest, std::size_t& used, QuicDatagram& datagram) {
  Reader reader(rest);
  const auto header = read_long_header(reader);
  if (!header) return false;
  if (datagram.version == 0) {
    datagram.version = header->version;
    datagram.connection.assign(header->connection.begin(), header->connection.end());
  }
  if (header->version != kQuic1 && header->version != kQuic2) return false;
  const auto type = packet_type(header->version, header->first);
  if (type == PacketType::other) return false;
  if (type == PacketType::initial) reader.take(static_cast<std::size_t>(variable_number(reader)));
  const auto length = static_cast<std::size_t>(variable_number(reader));
  const auto number_at = reader.position();
  reader.take(length);
  if (!reader.good()) return false;
  used = reader.position();
  if (type != PacketType::initial) return true;
  const auto payload = open_packet(*header, rest.first(used), number_at);
  if (!payload) return false;
  ++datagram.initials;
  for (auto& piece : read_quic_frames(*payload)) datagram.pieces.push_back(std::move(piece));
  return true;
}

}  // namespace

std::vector<CryptoPiece> read_quic_frames(Bytes payload) {
  enum Frame : std::uint64_t { kPadding = 0, kPing = 1, kAck = 2, kAckCounts = 3, kCrypto = 6 };
  std::vector<CryptoPiece> pieces;
  Reader reader(payload);
  while (!reader.empty()) {
    const auto type = variable_number(reader);
    if (type == kPadding || type == kPing) continue;
    if (type == kAck || type == kAckCounts) {
      skip_acknowledgement(reader, type == kAckCounts);
    } else if (type == kCrypto) {
      const auto offset = variable_number(reader);
      const auto bytes = reader.take(static_cast<std::size_t>(variable_number(reader)));
      if (reader.good() && !bytes.empty()) pieces.push_back({offset, {bytes.begin(), bytes.end()}});
    } else {
      break;  // the rest of an Initial is of no interest
    }
  }
  return pieces;
}

std::optional<QuicDatagram> read_quic_datagram(Bytes datagram) {
  Reader reader(datagram);
  const auto header = read_long_header(reader);
  // Version 0 is version negotiation, which only a server sends.
  if (!header || header->version == 0) return {};
  QuicDatagram result;
  for (std::size_t i = 0; i < kPacketLimit && !datagram.empty(); ++i) {
    std::size_t used = 0;
    if (!read_packet(datagram, used, result)) break;
    datagram = datagram.subspan(used);
  }
  return result;
}

void CryptoStream::add(const CryptoPiece& piece) {
  if (piece.offset >= kCryptoLimit || ranges_.size() >= kRangeLimit) return;
  auto begin = static_cast<std::size_t>(piece.offset);
  auto end = std::min(begin + piece.bytes.size(), kCryptoLimit);
  if (bytes_.size() < end) bytes_.resize(end);
  std::copy_n(piece.bytes.begin(), end - begin,
              bytes_.begin() + static_cast<std::ptrdiff_t>(begin));
  auto at = ranges_.upper_bound(begin);
  if (at != ranges_.begin() && std::prev(at)->second >= begin) --at;
  while (at != ranges_.end() && at->first <= end) {
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = ranges_.erase(at);
  }
  ranges_.emplace(begin, end);
}

HelloReading CryptoStream::hello() const {
  const auto first = ranges_.find(0);
  const auto length = first == ranges_.end() ? 0 : first->second;
  return read_hello_message(Bytes(bytes_).first(length));
}

}  // namespace telltale::catcher::wire
