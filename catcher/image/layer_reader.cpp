#include "catcher/image/layer_reader.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>
#include <locale.h>

#include <vector>

namespace telltale::catcher::image {

namespace {

constexpr std::size_t kReadSize = 256 * 1024;
constexpr std::string_view kWhiteout = ".wh.";
constexpr std::string_view kOpaque = ".wh..wh..opq";
constexpr std::string_view kReserved = ".wh..wh.";  // aufs's own; nothing of the image

// libarchive converts names between character sets by the locale of the thread, and a name that the
// C locale has no letters for would be lost.
class Utf8Locale {
 public:
  Utf8Locale() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = uselocale(locale_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

std::string text_of(const char* text, const char* utf8) {
  return text != nullptr ? text : utf8 != nullptr ? utf8 : "";
}

LayerEntry::Kind kind_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry) != nullptr || archive_entry_hardlink_utf8(entry) != nullptr)
    return LayerEntry::Kind::hard_link;
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      return LayerEntry::Kind::file;
    case AE_IFDIR:
      return LayerEntry::Kind::folder;
    case AE_IFLNK:
      return LayerEntry::Kind::link;
    case AE_IFIFO:
      return LayerEntry::Kind::pipe;
    default:
      return LayerEntry::Kind::other;
  }
}

std::string last_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// False: the name that is to be taken out is none.
bool read_whiteout(LayerEntry& entry) {
  const auto name = last_of(entry.path);
  if (!name.starts_with(kWhiteout)) return true;
  const auto parent = parent_of(entry.path);
  if (name == kOpaque) {
    entry.kind = LayerEntry::Kind::opaque;
    entry.path = parent;
    return true;
  }
  entry.kind = LayerEntry::Kind::whiteout;
  const auto gone = name.starts_with(kReserved) ? name : name.substr(kWhiteout.size());
  if (gone.empty() || gone == "." || gone == "..") return false;
  entry.path = parent.empty() ? gone : parent + "/" + gone;
  return true;
}

}  // namespace

bool clean_path(std::string_view written, std::string& path) {
  path.clear();
  while (!written.empty()) {
    const auto slash = written.find('/');
    const auto part = written.substr(0, slash);
    written.remove_prefix(slash == std::string_view::npos ? written.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") return false;
    if (!path.empty()) path += '/';
    path += part;
  }
  return true;
}

struct LayerReader::Archive {
  explicit Archive(std::string layer) : name(std::move(layer)), handle(archive_read_new()) {
    archive_read_support_filter_gzip(handle);
    archive_read_support_filter_zstd(handle);
    archive_read_support_format_tar(handle);
    archive_read_support_format_empty(handle);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() { archive_read_free(handle); }

  [[nodiscard]] tl::unexpected<Error> broken() const {
    const char* why = archive_error_string(handle);
    return fail(Fault::input,
                fmt::format("{} cannot be read: {}", name, why != nullptr ? why : "no archive"),
                "make the image again, or copy it anew: it is cut, or no tar archive");
  }

  [[nodiscard]] tl::unexpected<Error> hostile(const std::string& why) const {
    return fail(Fault::input, fmt::format("{} {}", name, why),
                "do not use this image: no tool that makes images writes that");
  }

  std::string name;
  archive* handle;
};

LayerReader::LayerReader(std::unique_ptr<Archive> archive) : archive_(std::move(archive)) {}
LayerReader::LayerReader(LayerReader&&) noexcept = default;
LayerReader& LayerReader::operator=(LayerReader&&) noexcept = default;
LayerReader::~LayerReader() = default;

Result<LayerReader> LayerReader::open(const std::filesystem::path& file, const std::string& name) {
  const Utf8Locale locale;
  auto made = std::make_unique<Archive>(name);
  if (archive_read_open_filename(made->handle, file.c_str(), kReadSize) != ARCHIVE_OK)
    return made->broken();
  return LayerReader(std::move(made));
}

Result<LayerReader> LayerReader::open(std::span<const std::uint8_t> bytes,
                                      const std::string& name) {
  const Utf8Locale locale;
  auto made = std::make_unique<Archive>(name);
  if (archive_read_open_memory(made->handle, bytes.data(), bytes.size()) != ARCHIVE_OK)
    return made->broken();
  return LayerReader(std::move(made));
}

Result<bool> LayerReader::next(LayerEntry& made) {
  const Utf8Locale locale;
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(archive_->handle, &entry);
  if (status == ARCHIVE_EOF) return false;
  if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return archive_->broken();
  made = {};
  made.kind = kind_of(entry);
  const auto written = text_of(archive_entry_pathname(entry), archive_entry_pathname_utf8(entry));
  if (!clean_path(written, made.path))
    return archive_->hostile(fmt::format("has an entry that leads out: {}", written));
  if (made.kind == LayerEntry::Kind::link)
    made.target = text_of(archive_entry_symlink(entry), archive_entry_symlink_utf8(entry));
  if (made.kind == LayerEntry::Kind::hard_link) {
    const auto target = text_of(archive_entry_hardlink(entry), archive_entry_hardlink_utf8(entry));
    if (!clean_path(target, made.target) || made.target.empty())
      return archive_->hostile(
          fmt::format("has a hard link that leads out: {} to {}", written, target));
  }
  if (made.kind == LayerEntry::Kind::file) {
    const auto size = archive_entry_size(entry);
    if (size < 0) return archive_->hostile(fmt::format("has a file of no size: {}", written));
    made.size = static_cast<std::uint64_t>(size);
  }
  made.mode = archive_entry_perm(entry) & 07777;
  made.user = archive_entry_uid(entry);
  made.group = archive_entry_gid(entry);
  made.changed = archive_entry_mtime(entry);
  if (!read_whiteout(made))
    return archive_->hostile(fmt::format("has a whiteout of no name: {}", written));
  return true;
}

Result<bool> LayerReader::read(Piece& piece) {
  const void* data = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  const int status = archive_read_data_block(archive_->handle, &data, &size, &offset);
  if (status == ARCHIVE_EOF) return false;
  if ((status != ARCHIVE_OK && status != ARCHIVE_WARN) || offset < 0) return archive_->broken();
  piece.bytes = {static_cast<const std::uint8_t*>(data), size};
  piece.offset = static_cast<std::uint64_t>(offset);
  return true;
}

}  // namespace telltale::catcher::image
