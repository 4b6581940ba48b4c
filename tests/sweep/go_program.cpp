#include "sweep/go_program.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>

namespace telltale::test {

namespace {

std::string with_length(const std::string& text) {
  std::string bytes;
  for (auto left = text.size();;) {
    const auto low = static_cast<char>(left & 0x7f);
    left >>= 7;
    bytes += left == 0 ? low : static_cast<char>(low | 0x80);
    if (left == 0) return bytes + text;
  }
}

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

std::string framed(const std::string& lines) {
  return "0123456789abcdef" + lines + "fedcba9876543210";
}

std::string build_information(const std::string& go_version, const std::string& text) {
  std::string blob = "\xff Go buildinf:";
  blob += '\x08';
  blob += '\x02';
  blob.resize(32, '\0');
  return blob + with_length(go_version) + with_length(text);
}

std::string elf_program(const std::string& data, std::uint64_t address) {
  constexpr std::uint64_t kOffset = 128;
  Elf64_Ehdr header{};
  std::copy_n(ELFMAG, SELFMAG, header.e_ident);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R | PF_W;
  segment.p_offset = kOffset;
  segment.p_vaddr = address;
  segment.p_filesz = segment.p_memsz = data.size();
  auto file = bytes_of(header) + bytes_of(segment);
  file.resize(kOffset, '\0');
  return file + data;
}

}  // namespace telltale::test
