#include "archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>

namespace telltale::test {

namespace {

la_ssize_t append(archive*, void* to, const void* data, std::size_t size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
  return static_cast<la_ssize_t>(size);
}

unsigned type_of(char kind) {
  switch (kind) {
    case 'd':
      return AE_IFDIR;
    case 'l':
      return AE_IFLNK;
    case 'p':
      return AE_IFIFO;
    case 'b':
      return AE_IFBLK;
    default:
      return AE_IFREG;
  }
}

void write_entry(archive* to, const Packed& packed) {
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_entry_set_pathname(entry.get(), packed.name.c_str());
  archive_entry_set_filetype(entry.get(), type_of(packed.kind));
  archive_entry_set_perm(entry.get(), packed.mode);
  archive_entry_set_uid(entry.get(), geteuid());
  archive_entry_set_gid(entry.get(), getegid());
  if (packed.kind == 'l') archive_entry_set_symlink(entry.get(), packed.content.c_str());
  if (packed.kind == 'h') archive_entry_set_hardlink(entry.get(), packed.content.c_str());
  if (packed.kind == 'f')
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(packed.content.size()));
  if (archive_write_header(to, entry.get()) != ARCHIVE_OK)
    throw std::runtime_error(archive_error_string(to));
  if (packed.kind == 'f') archive_write_data(to, packed.content.data(), packed.content.size());
}

}  // namespace

std::string pack(const std::vector<Packed>& entries, Pressed pressed) {
  std::string bytes;
  const std::unique_ptr<archive, int (*)(archive*)> to(archive_write_new(), archive_write_free);
  archive_write_set_format_gnutar(to.get());  // names as the bytes they are
  archive_write_set_bytes_in_last_block(to.get(), 1);
  if (pressed == Pressed::gzip) archive_write_add_filter_gzip(to.get());
  if (pressed == Pressed::zstd) archive_write_add_filter_zstd(to.get());
  archive_write_open(to.get(), &bytes, nullptr, append, nullptr);
  for (const auto& entry : entries) write_entry(to.get(), entry);
  archive_write_close(to.get());
  return bytes;
}

}  // namespace telltale::test
