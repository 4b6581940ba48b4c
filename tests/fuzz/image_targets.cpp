#include "fuzz/image_targets.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "catcher/image/documents.hpp"
#include "catcher/image/layer_reader.hpp"
#include "fuzz/promise.hpp"

namespace telltale::fuzz {

namespace {

using namespace catcher::image;

constexpr std::uint64_t kMostEntries = 2'000;
constexpr std::uint64_t kMostBytes = 16 << 20;  // of one input's files: a bomb costs time

bool whole(const std::string& text) {
  return text.find('\0') == std::string::npos;
}

void promise_of_path(const std::string& path) {
  std::string again;
  promise(clean_path(path, again) && again == path, "a path is clean and leads nowhere out");
  promise(whole(path), "a path has no byte 0");
}

void promise_of_error(const Error& error) {
  promise(error.fault == Fault::input && !error.what.empty() && !error.fix.empty(),
          "an error names the image's fault, and what to do");
}

void promise_of_entry(const LayerEntry& entry) {
  promise_of_path(entry.path);
  promise(entry.mode <= 07777, "a mode has permission bits only");
  if (entry.kind == LayerEntry::Kind::hard_link) {
    promise_of_path(entry.target);
    promise(!entry.target.empty(), "a hard link is to something");
  }
  if (entry.kind == LayerEntry::Kind::whiteout)
    promise(!entry.path.empty(), "a whiteout takes something out");
}

// False: nothing more of this layer.
bool read_file(LayerReader& reader, std::uint64_t& bytes) {
  for (LayerReader::Piece piece;;) {
    const auto more = reader.read(piece);
    if (!more) promise_of_error(more.error());
    if (!more || !*more) return more.has_value();
    if ((bytes += piece.bytes.size()) > kMostBytes) return false;
  }
}

}  // namespace

void image_document_target(std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const auto manifest = parse_manifest(text, "document"); !manifest) {
    promise_of_error(manifest.error());
  } else {
    promise(manifest->manifests.size() <= kManifestLimit && manifest->layers.size() <= kLayerLimit,
            "lists are limited");
    for (const auto* list : {&manifest->manifests, &manifest->layers})
      for (const auto& each : *list) promise(is_digest(each.digest), "a digest is one");
  }
  if (const auto config = parse_config(text, "document"); !config) {
    promise_of_error(config.error());
  } else {
    promise(config->folder.starts_with('/'), "a folder is absolute");
    promise(std::all_of(config->command.begin(), config->command.end(), whole) &&
                std::all_of(config->entrypoint.begin(), config->entrypoint.end(), whole),
            "a word can be given to a program");
  }
  if (const auto saved = parse_saved_images(text, "document"); !saved)
    promise_of_error(saved.error());
}

void image_layer_target(std::span<const std::uint8_t> bytes) {
  auto reader = LayerReader::open(bytes, "layer");
  if (!reader) return promise_of_error(reader.error());
  std::uint64_t size = 0;
  LayerEntry entry;
  for (std::uint64_t entries = 0; entries < kMostEntries; ++entries) {
    const auto more = reader->next(entry);
    if (!more) return promise_of_error(more.error());
    if (!*more) return;
    promise_of_entry(entry);
    if (entry.kind == LayerEntry::Kind::file && !read_file(*reader, size)) return;
  }
}

}  // namespace telltale::fuzz
