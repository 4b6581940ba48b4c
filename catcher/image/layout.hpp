// An image layout on the disk: a folder or a tar archive as image-spec 1.1, image-layout.md says
// (index.json, blobs/sha256/...), or the archive of `docker save` (manifest.json).
//
// No daemon and no registry is asked. Every blob is compared with its digest before anything of it
// is used. What an index offers for several platforms is chosen by this machine's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catcher/image/documents.hpp"
#include "catcher/image/unpack.hpp"
#include "evidence/result.hpp"

namespace telltale::catcher::image {

// One layer, verified.
struct LayerFile {
  std::filesystem::path file;
  std::string name;  // "layer sha256:12ab..."
};

// What is to be unpacked, and what it says of itself.
struct LayoutImage {
  std::string reference;        // PATH, or PATH:NAME where it has a name
  std::string manifest_digest;  // empty: of `docker save`, which has none
  std::string config_digest;
  ImageConfig config;
  std::vector<LayerFile> layers;  // the lowest first
};

// "amd64": what the specification calls the machine that this runs on.
[[nodiscard]] std::string own_architecture();

// `source` is PATH or PATH:NAME. An archive is unpacked to `folder`, which must not be there.
// Fault::input, each naming the file: no layout, a digest that does not match, a name that is not
// there, several to choose from, no image for this machine.
[[nodiscard]] Result<LayoutImage> open_layout(const std::string& source,
                                              const std::filesystem::path& folder,
                                              const UnpackLimits& limits);

}  // namespace telltale::catcher::image
