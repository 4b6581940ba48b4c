#include "sweep/readers/elf_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace telltale::sweep {

namespace {
// Far above any real program; a table that claims more is not read.
constexpr std::uint64_t kMostEntries = 65'536;
constexpr std::uint64_t kMostSectionNames = 1 << 20;
constexpr std::uint64_t kMostRead = 64 << 20;
}  // namespace

// Where a field lies in the 64 and in the 32 bit form of a structure.
#define TELLTALE_FIELD(structure, field)                                             \
  (wide_ ? offsetof(Elf64_##structure, field) : offsetof(Elf32_##structure, field)), \
      (wide_ ? sizeof(Elf64_##structure::field) : sizeof(Elf32_##structure::field))

Result<ElfFile> ElfFile::open(const std::filesystem::path& file) {
  ElfFile elf;
  elf.file_ = subject::FileDescriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!elf.file_.valid() || fstat(elf.file_.get(), &status) != 0)
    return fail(Fault::input, fmt::format("{}: {}", file.string(), std::strerror(errno)),
                "give a file that exists and that you may read");
  elf.size_ = static_cast<std::uint64_t>(status.st_size);
  if (auto header = elf.read_header(file.string()); !header) return pass_on(header.error());
  return elf;
}

Result<> ElfFile::read_header(const std::string& name) {
  const auto ident = read(0, EI_NIDENT);
  if (!ident || std::memcmp(ident->data(), ELFMAG, SELFMAG) != 0)
    return fail(Fault::input, fmt::format("{} is no ELF program", name),
                "give a program for Linux; those for Windows and macOS are not read");
  wide_ = (*ident)[EI_CLASS] == ELFCLASS64;
  big_endian_ = (*ident)[EI_DATA] == ELFDATA2MSB;
  const auto header = read(0, wide_ ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
  if (!header)
    return fail(Fault::input, fmt::format("{} is cut off: it ends inside its ELF header", name),
                "copy or download it again");
  read_segments(*header);
  read_sections(*header);
  return {};
}

std::uint64_t ElfFile::number(const std::string& bytes, std::size_t offset,
                              std::size_t width) const {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const auto at = big_endian_ ? offset + i : offset + width - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes[at]);
  }
  return value;
}

void ElfFile::read_segments(const std::string& header) {
  const auto start = number(header, TELLTALE_FIELD(Ehdr, e_phoff));
  const auto count = number(header, TELLTALE_FIELD(Ehdr, e_phnum));
  const auto width = wide_ ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
  if (number(header, TELLTALE_FIELD(Ehdr, e_phentsize)) != width) return;
  const auto table = read(start, count * width);
  if (!table) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = table->substr(i * width, width);
    if (number(entry, TELLTALE_FIELD(Phdr, p_type)) != PT_LOAD) continue;
    segments_.push_back({cut({number(entry, TELLTALE_FIELD(Phdr, p_offset)),
                              number(entry, TELLTALE_FIELD(Phdr, p_filesz)),
                              number(entry, TELLTALE_FIELD(Phdr, p_vaddr))}),
                         static_cast<std::uint32_t>(number(entry, TELLTALE_FIELD(Phdr, p_flags)))});
  }
}

void ElfFile::read_sections(const std::string& header) {
  const auto start = number(header, TELLTALE_FIELD(Ehdr, e_shoff));
  const auto count = number(header, TELLTALE_FIELD(Ehdr, e_shnum));
  const auto names = number(header, TELLTALE_FIELD(Ehdr, e_shstrndx));
  const auto width = wide_ ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  if (number(header, TELLTALE_FIELD(Ehdr, e_shentsize)) != width) return;
  if (count > kMostEntries || names >= count) return;
  const auto table = read(start, count * width);
  if (!table) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = table->substr(i * width, width);
    const bool in_file = number(entry, TELLTALE_FIELD(Shdr, sh_type)) != SHT_NOBITS;
    sections_.push_back({cut({number(entry, TELLTALE_FIELD(Shdr, sh_offset)),
                              in_file ? number(entry, TELLTALE_FIELD(Shdr, sh_size)) : 0,
                              number(entry, TELLTALE_FIELD(Shdr, sh_addr))}),
                         static_cast<std::uint32_t>(number(entry, TELLTALE_FIELD(Shdr, sh_name)))});
  }
  const auto& table_of_names = sections_[names].range;
  section_names_ =
      read(table_of_names.offset, std::min(table_of_names.size, kMostSectionNames)).value_or("");
}

#undef TELLTALE_FIELD

ElfRange ElfFile::cut(ElfRange range) const {
  if (range.offset >= size_) return {range.offset, 0, range.address};
  range.size = std::min(range.size, size_ - range.offset);
  return range;
}

std::optional<ElfRange> ElfFile::section(const std::string& name) const {
  for (const auto& section : sections_) {
    if (section.name >= section_names_.size()) continue;
    if (section_names_.compare(section.name, name.size() + 1, name.c_str(), name.size() + 1) == 0)
      return section.range;
  }
  return std::nullopt;
}

std::optional<ElfRange> ElfFile::first_data_segment() const {
  for (const auto& segment : segments_)
    if ((segment.flags & (PF_W | PF_X)) == PF_W && segment.range.size > 0) return segment.range;
  return std::nullopt;
}

std::optional<ElfRange> ElfFile::at_address(std::uint64_t address) const {
  for (const auto& [range, flags] : segments_) {
    if (address < range.address || address - range.address >= range.size) continue;
    const auto into = address - range.address;
    return ElfRange{range.offset + into, range.size - into, address};
  }
  return std::nullopt;
}

std::optional<std::string> ElfFile::read(std::uint64_t offset, std::uint64_t size) const {
  if (size > kMostRead || offset > size_ || size > size_ - offset) return std::nullopt;
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const auto got =
        pread(file_.get(), bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace telltale::sweep
