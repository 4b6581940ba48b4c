#include "catcher/wire/client_hello.hpp"

#include <algorithm>

namespace telltale::catcher::wire {

namespace {

constexpr std::uint8_t kHandshakeRecord = 22;
constexpr std::uint8_t kClientHelloType = 1;
constexpr std::size_t kRecordLimit = 16 * 1024;
constexpr std::size_t kHelloNameLimit = 255;
enum Extension : std::uint16_t {
  kServerName = 0,
  kAlpn = 16,
  kSupportedVersions = 43,
  kEncryptedHello = 0xfe0d
};

// Values that a client invents so that servers stay tolerant (RFC 8701): 0x0a0a, 0x1a1a, ...
bool invented(std::uint16_t version) {
  return (version & 0x0f0f) == 0x0a0a;
}

void read_server_name(Bytes data, ClientHello& hello) {
  Reader list(data);
  Reader names(list.take_up_to(list.u16()));
  const bool is_host = names.u8() == 0;
  const auto name = names.take(names.u16());
  if (!names.good() || !is_host) return;
  hello.server_name = as_text(name.first(std::min(name.size(), kHelloNameLimit)));
}

void read_alpn(Bytes data, ClientHello& hello) {
  Reader list(data);
  Reader protocols(list.take_up_to(list.u16()));
  while (!protocols.empty() && hello.alpn.size() < kAlpnLimit) {
    const auto protocol = protocols.take(protocols.u8());
    if (!protocols.good()) return;
    hello.alpn.emplace_back(as_text(protocol));
  }
}

void read_versions(Bytes data, ClientHello& hello) {
  Reader list(data);
  Reader versions(list.take_up_to(list.u8()));
  std::uint16_t highest = 0;
  while (versions.left() >= 2) {
    const auto version = versions.u16();
    if (!invented(version)) highest = std::max(highest, version);
  }
  if (highest != 0) hello.version = highest;
}

void read_extension(std::uint16_t type, Bytes data, ClientHello& hello) {
  switch (type) {
    case kServerName:
      return read_server_name(data, hello);
    case kAlpn:
      return read_alpn(data, hello);
    case kSupportedVersions:
      return read_versions(data, hello);
    case kEncryptedHello:
      hello.encrypted_inner = true;
      return;
    default:
      return;
  }
}

void read_hello_body(Bytes body, ClientHello& hello) {
  Reader reader(body);
  hello.version = reader.u16();
  reader.take(32);            // random
  reader.take(reader.u8());   // session
  reader.take(reader.u16());  // cipher suites
  reader.take(reader.u8());   // compression
  if (!reader.good()) return;
  Reader extensions(reader.take_up_to(reader.u16()));
  while (extensions.left() >= 4) {
    const auto type = extensions.u16();
    const auto data = extensions.take(extensions.u16());
    if (!extensions.good()) return;
    read_extension(type, data, hello);
  }
}

std::size_t message_length(Bytes handshake) {
  Reader reader(handshake);
  reader.u8();
  return reader.u24();
}

// The handshake bytes of the records; false when one of them is not of a handshake.
bool join_records(Bytes stream, std::vector<std::uint8_t>& handshake) {
  Reader reader(stream);
  while (!reader.empty() && handshake.size() < kClientHelloLimit) {
    const auto type = reader.u8();
    if (type != kHandshakeRecord) return false;
    if (reader.empty()) return true;
    if (reader.u8() != 3) return false;  // 3.0 to 3.4 on the wire
    if (reader.left() < 3) return true;
    reader.u8();
    const auto length = reader.u16();
    if (length == 0 || length > kRecordLimit) return false;
    const auto payload = reader.take_up_to(length);
    handshake.insert(handshake.end(), payload.begin(), payload.end());
    // What follows the hello (early data, a second message) is not looked at.
    if (handshake.size() >= 4 && handshake.size() - 4 >= message_length(handshake)) return true;
  }
  return true;
}

}  // namespace

HelloReading read_hello_message(Bytes handshake) {
  HelloReading reading;
  if (handshake.empty()) return {Shape::partial, {}};
  Reader reader(handshake);
  if (reader.u8() != kClientHelloType) return reading;
  const std::size_t length = reader.u24();
  if (reader.good() && length > kClientHelloLimit) return reading;
  const auto body = reader.take_up_to(length);
  reading.shape = reader.good() ? Shape::whole : Shape::partial;
  read_hello_body(body, reading.hello);
  return reading;
}

HelloReading read_client_hello(Bytes stream) {
  std::vector<std::uint8_t> handshake;
  if (stream.empty()) return {Shape::partial, {}};
  if (!join_records(stream, handshake)) return {};
  return read_hello_message(handshake);
}

std::string tls_version_name(std::uint16_t version) {
  switch (version) {
    case 0x0300:
      return "SSL 3.0";
    case 0x0301:
      return "TLS 1.0";
    case 0x0302:
      return "TLS 1.1";
    case 0x0303:
      return "TLS 1.2";
    case 0x0304:
      return "TLS 1.3";
    default:
      return "";
  }
}

}  // namespace telltale::catcher::wire
