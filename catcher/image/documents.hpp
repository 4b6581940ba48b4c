// The JSON documents of a container image: index, manifest and configuration of the OCI image
// specification (image-spec 1.1: image-layout.md, image-index.md, manifest.md, config.md), and the
// manifest.json of `docker save`.
//
// Pure functions of foreign text. Each error is Fault::input and names the document; what a
// document holds besides is passed over.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::catcher::image {

inline constexpr std::size_t kDocumentLimit = 4 << 20;  // bytes
inline constexpr std::size_t kLayerLimit = 1024;
inline constexpr std::size_t kManifestLimit = 1024;

// "sha256:" and 64 hexadecimal digits; no other algorithm is known.
[[nodiscard]] bool is_digest(std::string_view digest);

// A blob that a document points to: a "descriptor" of the specification.
struct Descriptor {
  std::string media_type;
  std::string digest;
  std::uint64_t size = 0;  // bytes
  // Of a manifest in an index; empty where it does not say.
  std::string os;
  std::string architecture;
  std::string name;  // org.opencontainers.image.ref.name
};

// An index, or a manifest: which one a document is, its members say.
struct ManifestDocument {
  std::vector<Descriptor> manifests;  // of an index
  Descriptor config;                  // of a manifest
  std::vector<Descriptor> layers;
  [[nodiscard]] bool is_index() const { return config.digest.empty(); }
};
[[nodiscard]] Result<ManifestDocument> parse_manifest(std::string_view text,
                                                      const std::string& document);

struct ImageConfig {
  std::string os;
  std::string architecture;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> entrypoint;
  std::vector<std::string> command;
  std::string user;                   // NAME|UID[:GROUP|GID]; empty: 0
  std::string folder;                 // absolute
  std::vector<std::string> diff_ids;  // digests of the layers, unpacked
};
[[nodiscard]] Result<ImageConfig> parse_config(std::string_view text, const std::string& document);

// One image of `docker save`: names of files in the archive.
struct SavedImage {
  std::string config;
  std::vector<std::string> layers;
  std::vector<std::string> names;  // "app:1"
};
[[nodiscard]] Result<std::vector<SavedImage>> parse_saved_images(std::string_view text,
                                                                 const std::string& document);

}  // namespace telltale::catcher::image
