// What the Go linker wrote into a program about its own origin.
//
// Source: the Go project's debug/buildinfo package documentation and the linker's layout: a blob
// "\xff Go buildinf:" (14 bytes, 16-aligned), pointer size, flags; then either (flag bit 1, Go
// 1.18 and later) two strings with uvarint lengths from byte 32, or (before) two pointers to Go
// string headers. The second string is the module information between two 16-byte sentinels.
// It sits in the section .go.buildinfo, or, where sections are stripped, near the start of the
// first writable data segment. Big-endian programs are read too.
#pragma once

#include <string>

#include "evidence/result.hpp"
#include "sweep/readers/elf_file.hpp"

namespace telltale::sweep {

struct GoBuildInformation {
  std::string go_version;  // "go1.26.8"
  std::string modules;     // tab-separated lines, sentinels taken off; empty: built without modules
};

// Fault::input: the program has none, or it is cut off. `name` is for the message.
[[nodiscard]] Result<GoBuildInformation> read_go_build_information(const ElfFile& elf,
                                                                   const std::string& name);

}  // namespace telltale::sweep
