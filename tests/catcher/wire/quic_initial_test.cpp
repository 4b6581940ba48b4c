#include "catcher/wire/quic_initial.hpp"

#include <algorithm>

#include "catcher/wire/capture.hpp"
#include "catcher/wire/quic_keys.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher::wire;
using telltale::test::capture;
using telltale::test::each_truncation;
using telltale::test::from_hex;
using telltale::test::Octets;

namespace {

const Octets kConnection = from_hex("8394c8f03e515708");  // of both RFCs' examples

HelloReading hello_of(const QuicDatagram& datagram) {
  CryptoStream stream;
  for (const auto& piece : datagram.pieces) stream.add(piece);
  return stream.hello();
}

template <std::size_t N>
Octets octets(const std::array<std::uint8_t, N>& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("the keys of RFC 9001 appendix A.1 and RFC 9369 appendix A.1") {
  const auto one = quic_client_keys(kQuic1, kConnection);
  REQUIRE(one);
  CHECK(octets(one->key) == from_hex("1f369613dd76d5467730efcbe3b1a22d"));
  CHECK(octets(one->nonce) == from_hex("fa044b2f42a3fd3b46fb255c"));
  CHECK(octets(one->header) == from_hex("9f50449e04a0e810283a1e9933adedd2"));
  const auto two = quic_client_keys(kQuic2, kConnection);
  REQUIRE(two);
  CHECK(octets(two->key) == from_hex("8b1a0bc121284290a29e0971b5cd045d"));
  CHECK(octets(two->nonce) == from_hex("91f73e2351d8fa91660e909f"));
  CHECK(octets(two->header) == from_hex("45b95e15235d6f45a6b19cbcb0294ba9"));
  CHECK_FALSE(quic_client_keys(0xff00001d, kConnection));
}

TEST_CASE("the header mask of RFC 9001 appendix A.2") {
  const auto keys = quic_client_keys(kQuic1, kConnection);
  const auto mask = quic_header_mask(*keys, from_hex("d1b1c98dd7689fb8ec11d242b123dc9b"));
  CHECK(Octets(mask.begin(), mask.begin() + 5) == from_hex("437b9aec36"));
}

TEST_CASE("real Initials of version 1 and 2 hold a hello") {
  const struct {
    const char *file, *name;
    std::uint32_t version;
  } cases[] = {{"quic_initial/aioquic-v1.bin", "quic.example", kQuic1},
               {"quic_initial/aioquic-v2.bin", "quic2.example", kQuic2}};
  for (const auto& one : cases) {
    const auto datagram = read_quic_datagram(capture(one.file));
    REQUIRE(datagram);
    CHECK(datagram->version == one.version);
    CHECK(datagram->initials == 1);
    const auto reading = hello_of(*datagram);
    CHECK(reading.shape == Shape::whole);
    CHECK(reading.hello.server_name == one.name);
    CHECK(reading.hello.alpn == std::vector<std::string>{"h3"});
  }
}

TEST_CASE("an Initial that was cut or changed is not opened") {
  auto whole = capture("quic_initial/aioquic-v1.bin");
  while (whole.back() == 0) whole.pop_back();  // padding after the packet
  each_truncation(whole, [](const Octets& bytes) {
    const auto datagram = read_quic_datagram(bytes);
    CHECK((!datagram || datagram->initials == 0));
  });
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto broken = whole;
    broken[at] ^= 0x10;
    const auto datagram = read_quic_datagram(broken);
    CHECK((!datagram || datagram->initials == 0));
  }
}

TEST_CASE("another version is named, not opened") {
  auto bytes = capture("quic_initial/aioquic-v1.bin");
  bytes[1] = 0xff;
  const auto datagram = read_quic_datagram(bytes);
  REQUIRE(datagram);
  CHECK(datagram->version == 0xff000001);
  CHECK(datagram->initials == 0);
}

TEST_CASE("what is no packet with a long header") {
  CHECK_FALSE(read_quic_datagram({}));
  CHECK_FALSE(read_quic_datagram(from_hex("40000000010000")));
  CHECK_FALSE(read_quic_datagram(from_hex("c00000000115")));    // an id of 21 bytes
  CHECK_FALSE(read_quic_datagram(from_hex("c0000000000000")));  // version negotiation
}

TEST_CASE("frames around the pieces are skipped, up to one that an Initial does not need") {
  // PADDING, PING, an acknowledgement of one range with counts, CRYPTO at 5, then a frame 0x1c.
  const auto pieces =
      read_quic_frames(from_hex("000001"
                                "030a0001020304010203"
                                "0605026869"
                                "1c"
                                "06000161"));
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].offset == 5);
  CHECK(pieces[0].bytes == Octets{'h', 'i'});
  CHECK(read_quic_frames(from_hex("06000a6869")).empty());          // longer than the payload
  CHECK(read_quic_frames(from_hex("02ffffffffffffffff")).empty());  // ranges without end
}

TEST_CASE("pieces of a hello are joined in any order") {
  const auto datagram = read_quic_datagram(capture("quic_initial/aioquic-v1.bin"));
  REQUIRE(datagram->pieces.size() == 1);
  const auto& all = datagram->pieces[0].bytes;
  std::vector<CryptoPiece> pieces;
  for (std::size_t at = 0; at < all.size(); at += 10)
    pieces.push_back(
        {at, Octets(all.begin() + static_cast<std::ptrdiff_t>(at),
                    all.begin() + static_cast<std::ptrdiff_t>(std::min(at + 13, all.size())))});
  std::reverse(pieces.begin(), pieces.end());
  CryptoStream stream;
  for (const auto& piece : pieces) {
    CHECK(stream.hello().shape == Shape::partial);
    stream.add(piece);
  }
  CHECK(stream.hello().shape == Shape::whole);
  CHECK(stream.hello().hello.server_name == "quic.example");
}

TEST_CASE("a stream holds no more than its limit, whatever offsets are claimed") {
  CryptoStream stream;
  stream.add({std::uint64_t{1} << 61, {1}});
  stream.add({CryptoStream::kCryptoLimit - 1, {1, 2, 3}});
  for (std::uint64_t at = 0; at < 2000; at += 2) stream.add({at, {1}});
  CHECK(stream.hello().shape == Shape::partial);
}
