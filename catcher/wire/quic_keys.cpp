#include "catcher/wire/quic_keys.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "catcher/wire/quic_initial.hpp"

namespace telltale::catcher::wire {

namespace {

using Hash = std::array<std::uint8_t, 32>;
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)>;

constexpr std::size_t kTag = 16;
constexpr std::array<std::uint8_t, 20> kSalt1 = {0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34,
                                                 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8,
                                                 0x0c, 0xad, 0xcc, 0xbb, 0x7f, 0x0a};
constexpr std::array<std::uint8_t, 20> kSalt2 = {0x0d, 0xed, 0xe3, 0xde, 0xf7, 0x00, 0xa6,
                                                 0xdb, 0x81, 0x93, 0x81, 0xbe, 0x6e, 0x26,
                                                 0x9d, 0xcb, 0xf9, 0xbd, 0x2e, 0xd9};

Hash hmac(Bytes key, Bytes data) {
  Hash hash{};
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data.data(), data.size(),
       hash.data(), nullptr);
  return hash;
}

// HKDF-Expand-Label of RFC 8446 section 7.1, of one hash's length at most: one round.
Hash expand(const Hash& secret, std::string_view label, std::size_t length) {
  const std::string full = "tls13 " + std::string(label);
  std::vector<std::uint8_t> info = {0, static_cast<std::uint8_t>(length),
                                    static_cast<std::uint8_t>(full.size())};
  info.insert(info.end(), full.begin(), full.end());
  info.push_back(0);  // no context
  info.push_back(1);  // the first round
  return hmac(secret, info);
}

template <std::size_t N>
std::array<std::uint8_t, N> expand_to(const Hash& secret, const std::string& label) {
  const auto hash = expand(secret, label, N);
  std::array<std::uint8_t, N> out{};
  std::copy_n(hash.begin(), N, out.begin());
  return out;
}

Cipher new_cipher() {
  return {EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
}

}  // namespace

std::optional<QuicKeys> quic_client_keys(std::uint32_t version, Bytes connection) {
  if (version != kQuic1 && version != kQuic2) return {};
  const bool second = version == kQuic2;
  const std::string label = second ? "quicv2 " : "quic ";
  const auto secret = expand(hmac(second ? kSalt2 : kSalt1, connection), "client in", 32);
  return QuicKeys{expand_to<16>(secret, label + "key"), expand_to<12>(secret, label + "iv"),
                  expand_to<16>(secret, label + "hp")};
}

std::array<std::uint8_t, 16> quic_header_mask(const QuicKeys& keys, Bytes sample) {
  std::array<std::uint8_t, 16> mask{};
  const auto cipher = new_cipher();
  int length = 0;
  if (sample.size() != mask.size() || !cipher ||
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_128_ecb(), nullptr, keys.header.data(), nullptr) !=
          1 ||
      EVP_CIPHER_CTX_set_padding(cipher.get(), 0) != 1 ||
      EVP_EncryptUpdate(cipher.get(), mask.data(), &length, sample.data(),
                        static_cast<int>(sample.size())) != 1)
    return {};
  return mask;
}

std::optional<std::vector<std::uint8_t>> open_quic_payload(const QuicKeys& keys,
                                                           std::uint64_t packet, Bytes header,
                                                           Bytes sealed) {
  if (sealed.size() < kTag) return {};
  auto nonce = keys.nonce;
  for (std::size_t i = 0; i < 8; ++i)
    nonce[nonce.size() - 1 - i] ^= static_cast<std::uint8_t>(packet >> (8 * i));
  const auto text = sealed.first(sealed.size() - kTag);
  const auto tag = sealed.last(kTag);
  std::vector<std::uint8_t> out(text.size() + kTag);
  const auto cipher = new_cipher();
  int length = 0;
  const auto sizes = [](Bytes bytes) { return static_cast<int>(bytes.size()); };
  if (!cipher ||
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_128_gcm(), nullptr, keys.key.data(), nonce.data()) !=
          1 ||
      EVP_DecryptUpdate(cipher.get(), nullptr, &length, header.data(), sizes(header)) != 1 ||
      EVP_DecryptUpdate(cipher.get(), out.data(), &length, text.data(), sizes(text)) != 1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(kTag),
                          const_cast<std::uint8_t*>(tag.data())) != 1 ||
      EVP_DecryptFinal_ex(cipher.get(), out.data() + length, &length) != 1)
    return {};
  out.resize(text.size());
  return out;
}

}  // namespace telltale::catcher::wire
