// The unpackers there are. One line each.
#include "canary/unpack/gzip.hpp"
#include "canary/unpack/unpacker.hpp"

namespace telltale::canary {

const std::vector<const Unpacker*>& unpackers() {
  static const Gzip gzip;
  static const std::vector<const Unpacker*> all{&gzip};
  return all;
}

const Unpacker* find_unpacker(std::string_view head) {
  for (const auto* unpacker : unpackers())
    if (unpacker->recognises(head)) return unpacker;
  return nullptr;
}

}  // namespace telltale::canary
