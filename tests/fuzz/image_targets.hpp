// The documents and layers of container images (catcher/image).
#pragma once

#include <cstdint>
#include <span>

namespace telltale::fuzz {

// Every kind of document, each of the bytes.
void image_document_target(std::span<const std::uint8_t> bytes);
void image_layer_target(std::span<const std::uint8_t> bytes);

}  // namespace telltale::fuzz
