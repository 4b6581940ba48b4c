// The keys of a client's Initial packets (RFC 9001 section 5.2, RFC 9369 section 3.3), and what
// they open. By OpenSSL.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

struct QuicKeys {
  std::array<std::uint8_t, 16> key{};
  std::array<std::uint8_t, 12> nonce{};
  std::array<std::uint8_t, 16> header{};
};

// Empty for a version whose salt is not known here.
[[nodiscard]] std::optional<QuicKeys> quic_client_keys(std::uint32_t version, Bytes connection);

// AES-128-ECB of one block: the mask of the header protection (RFC 9001 section 5.4.3).
[[nodiscard]] std::array<std::uint8_t, 16> quic_header_mask(const QuicKeys& keys, Bytes sample);

// AES-128-GCM. `sealed` ends with its tag of 16 bytes; empty when the tag does not fit.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> open_quic_payload(const QuicKeys& keys,
                                                                         std::uint64_t packet,
                                                                         Bytes header,
                                                                         Bytes sealed);

}  // namespace telltale::catcher::wire
