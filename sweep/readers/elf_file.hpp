// The parts of an ELF file that a search for embedded data needs (elf(5); System V gABI 4.1).
//
// The file is hostile input: every offset and size in it is checked against the file's real size
// before it is used, reads go through pread (a file that shrinks gives a short read, never a
// SIGBUS), and the tables are capped. 32 and 64 bits, little and big endian.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::sweep {

// A stretch of the file; for a section or segment also where it is loaded.
struct ElfRange {
  std::uint64_t offset = 0;   // bytes into the file
  std::uint64_t size = 0;     // bytes in the file, cut to what the file really has
  std::uint64_t address = 0;  // virtual
};

class ElfFile {
 public:
  // Fault::input when it cannot be read, is no ELF file, or ends inside its own header.
  [[nodiscard]] static Result<ElfFile> open(const std::filesystem::path& file);

  // Empty when there is none of that name, or when the section table is missing or broken (a
  // stripped file has none; that is no error).
  [[nodiscard]] std::optional<ElfRange> section(const std::string& name) const;
  // The first PT_LOAD that is writable and not executable.
  [[nodiscard]] std::optional<ElfRange> first_data_segment() const;
  // What lies at a virtual address, to the end of its segment.
  [[nodiscard]] std::optional<ElfRange> at_address(std::uint64_t address) const;

  // Exactly `size` bytes, or nothing.
  [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::uint64_t size) const;

 private:
  struct Segment {
    ElfRange range;
    std::uint32_t flags = 0;
  };
  struct Section {
    ElfRange range;
    std::uint32_t name = 0;  // offset into the table of names
  };

  ElfFile() = default;
  [[nodiscard]] Result<> read_header(const std::string& name);
  void read_segments(const std::string& header);
  void read_sections(const std::string& header);
  [[nodiscard]] std::uint64_t number(const std::string& bytes, std::size_t offset,
                                     std::size_t width) const;
  [[nodiscard]] ElfRange cut(ElfRange range) const;

  subject::FileDescriptor file_;
  std::uint64_t size_ = 0;
  bool wide_ = true;
  bool big_endian_ = false;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::string section_names_;
};

}  // namespace telltale::sweep
