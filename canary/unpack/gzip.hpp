// gzip (RFC 1952): rotated logs, dumps.
#pragma once

#include "canary/unpack/unpacker.hpp"

namespace telltale::canary {

// Members one after another are one stream, as gzip(1) gives them. Bytes between or after members
// are passed over, and the next member behind them is looked for. A member that is cut off or
// damaged gives what could be decoded and makes the blob incomplete.
class Gzip final : public Unpacker {
 public:
  [[nodiscard]] std::string_view name() const override { return "gzip"; }
  [[nodiscard]] bool recognises(std::string_view head) const override;
  [[nodiscard]] Unpacked unpack(const Blob& blob, Output& output) const override;
};

}  // namespace telltale::canary
