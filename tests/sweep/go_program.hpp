// Programs that hold nothing but Go build information of the test's choosing.
#pragma once

#include <cstdint>
#include <string>

namespace telltale::test {

// The text as the linker frames it: a 16-byte sentinel before and after.
[[nodiscard]] std::string framed(const std::string& lines);

// The inline form (Go 1.18 and later): header, version, text.
[[nodiscard]] std::string build_information(const std::string& go_version, const std::string& text);

// A 64-bit little-endian ELF file without sections whose one writable segment is `data`, to be
// loaded at `address`.
[[nodiscard]] std::string elf_program(const std::string& data, std::uint64_t address = 0x10000);

}  // namespace telltale::test
