// A container image, ready to be run in the sealed world: its layers unpacked into a folder, and
// what its configuration says of command, environment, user and working folder.
//
//   auto image = unpack_image("app.tar", scratch / "image", {});
//   if (!image) return ...;                        // names the blob, the layer or the document
//   world.root = image->root;
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catcher/image/layout.hpp"
#include "catcher/image/unpack.hpp"
#include "evidence/result.hpp"
#include "subject/identity.hpp"

namespace telltale::catcher::image {

struct Image {
  std::filesystem::path root;
  LayoutImage layout;
  UnpackReport report;
  subject::Identity user;

  // Entrypoint and Cmd; `given` stands in place of both where it is not empty.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& given) const;
  // Env, with PATH and HOME where it has none.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> environment() const;
};

// Makes `folder` (mode 0700: set-user-id programs of an image must be nobody's) and all in it.
[[nodiscard]] Result<Image> unpack_image(const std::string& source,
                                         const std::filesystem::path& folder,
                                         const UnpackLimits& limits);

}  // namespace telltale::catcher::image
