// Reads the entries of an image layer: a tar archive, plain or compressed by gzip or zstd, by
// libarchive, with the whiteouts of image-spec 1.1, layer.md.
//
// A layer is foreign bytes, and hostile ones are expected. Every name is checked here, once: it is
// relative, clean, without "..", and so is the target of a hard link. The target of a symbolic link
// is whatever it is: who unpacks must not follow it out (unpack.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "evidence/result.hpp"

namespace telltale::catcher::image {

struct LayerEntry {
  enum class Kind {
    file,
    folder,
    link,
    hard_link,
    pipe,
    other,     // a device node or a socket
    whiteout,  // `path` of the layers below is not there any more
    opaque,    // nothing of the layers below is left in the folder `path`
  };
  Kind kind = Kind::file;
  std::string path;        // "usr/bin/env"; empty: the root folder
  std::string target;      // of a link, as written; of a hard link, a path like `path`
  std::uint64_t size = 0;  // bytes, of a file
  unsigned mode = 0;       // permission bits, at most 07777
  std::int64_t user = 0;
  std::int64_t group = 0;
  std::int64_t changed = 0;  // seconds since 1970
};

// A path that may be used below a folder, "." and "//" taken out; false: it leads out ("..").
// A slash at its beginning is passed over, as tar does.
[[nodiscard]] bool clean_path(std::string_view written, std::string& path);

class LayerReader {
 public:
  // `name` is for errors, all of which are Fault::input: "layer sha256:12ab...".
  [[nodiscard]] static Result<LayerReader> open(const std::filesystem::path& file,
                                                const std::string& name);
  // The bytes outlive it.
  [[nodiscard]] static Result<LayerReader> open(std::span<const std::uint8_t> bytes,
                                                const std::string& name);
  LayerReader(LayerReader&&) noexcept;
  LayerReader& operator=(LayerReader&&) noexcept;
  ~LayerReader();

  // False: that was the last one. An error for an archive that is cut, is none, or leads out.
  [[nodiscard]] Result<bool> next(LayerEntry& entry);

  // A piece of the file that next() gave, at its place: what is not given is zeros. False: the end.
  struct Piece {
    std::span<const std::uint8_t> bytes;  // until the next call
    std::uint64_t offset = 0;
  };
  [[nodiscard]] Result<bool> read(Piece& piece);

 private:
  struct Archive;
  explicit LayerReader(std::unique_ptr<Archive> archive);
  std::unique_ptr<Archive> archive_;
};

}  // namespace telltale::catcher::image
