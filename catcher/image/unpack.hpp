// Layers of an image, one over the other, into a folder.
//
// Theory of operation. Layers are hostile until shown otherwise. Nothing is ever opened by a whole
// path of the machine: the folder of an entry is looked up below the root folder with openat2(2),
// RESOLVE_IN_ROOT, so that a link that an earlier entry has made, absolute or with "..", leads to a
// place inside; the entry itself is then made in that folder, never through a link. Whiteouts speak
// of the layers below only, so each layer is read twice: first for its whiteouts, then for the
// rest. The modes of folders come last: one that may not be written to may still get files.
//
// Device nodes and sockets are not made, and counted. An ordinary user cannot give files away:
// everything belongs to the user, and owners that could not be set are counted. Extended attributes
// are left out. Linux 5.6.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "catcher/image/layer_reader.hpp"
#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher::image {

// More is a bomb, or at least no image to be unpacked unasked. Of all layers together; a size that
// an archive only claims counts as well.
struct UnpackLimits {
  std::uint64_t bytes = std::uint64_t{16} << 30;
  std::uint64_t entries = 2'000'000;
};

struct UnpackReport {
  std::uint64_t bytes = 0;  // of files
  std::uint64_t entries = 0;
  std::uint64_t devices = 0;  // device nodes and sockets that were not made
  std::uint64_t owners = 0;   // that could not be set
};

class Unpacker {
 public:
  // Makes `folder`, which must not be there.
  [[nodiscard]] static Result<Unpacker> make(const std::filesystem::path& folder,
                                             const UnpackLimits& limits);
  // Over what is there. Fault::input for an archive that cannot be read, leads out, or goes past
  // the limits; Fault::instrument for a full disk. What was made up to then stays, in the folder.
  [[nodiscard]] Result<> apply(const std::filesystem::path& layer, const std::string& name);
  // A folder of that name is there from now on, unless something else is.
  void make_sure_of(const std::string& path);
  // After the last layer.
  void finish();
  [[nodiscard]] const UnpackReport& report() const { return report_; }

 private:
  struct FolderLook {
    unsigned mode;
    std::int64_t changed;
  };

  Unpacker(subject::FileDescriptor root, const UnpackLimits& limits)
      : root_(std::move(root)), limits_(limits) {}
  [[nodiscard]] Result<> count(const LayerEntry& entry, const std::string& layer);
  [[nodiscard]] Result<> take_out(const LayerEntry& entry);
  [[nodiscard]] Result<> put_in(const LayerEntry& entry, LayerReader& reader,
                                const std::string& layer);
  [[nodiscard]] bool make(int parent, const std::string& name, const LayerEntry& entry);
  [[nodiscard]] Result<> write_file(int parent, const std::string& name, const LayerEntry& entry,
                                    LayerReader& reader, const std::string& layer);
  [[nodiscard]] bool make_folder(int parent, const std::string& name, const LayerEntry& entry);
  [[nodiscard]] bool make_hard_link(int parent, const std::string& name, const LayerEntry& entry);
  void give(int parent, const std::string& name, const LayerEntry& entry);
  [[nodiscard]] subject::FileDescriptor folder_at(const std::string& path) const;
  [[nodiscard]] subject::FileDescriptor folder_for(const std::string& path);

  subject::FileDescriptor root_;
  UnpackLimits limits_;
  UnpackReport report_;
  std::map<std::string, FolderLook> folders_;  // by path
};

}  // namespace telltale::catcher::image
