// The program that a figure speaks about.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::evidence {

// A file that was executed: the program, and the script or jar that an interpreter was given.
struct ExecutedFile {
  std::string path;      // absolute, links resolved
  std::string sha256;    // 64 lower-case hex digits
  std::uint64_t size = 0;  // bytes
  std::string role;      // "program", "interpreter", "script", "jar"
};

// Where the source is. Empty strings: not known (no checkout), and the report says so.
struct SourceIdentity {
  std::string path;
  std::string remote;  // of `origin`, credentials taken out
  std::string commit;
  bool dirty = false;
};

struct SubjectStamp {
  std::string name;
  std::vector<ExecutedFile> files;
  SourceIdentity source;
};

// Streams the file; memory use does not depend on its size.
[[nodiscard]] Result<std::string> sha256_of_file(const std::filesystem::path& path);
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

// argv as it will be executed: argv[0] is looked up in `path` (the PATH of the subject). A "#!"
// file gives the interpreter and the script; `java -jar x` and `python x.py` give both files.
[[nodiscard]] Result<std::vector<ExecutedFile>> executed_files(const std::vector<std::string>& argv,
                                                               const std::string& path,
                                                               const std::filesystem::path& folder);

// Asks git, never a network; no git or no checkout leaves the fields empty.
[[nodiscard]] SourceIdentity read_source(const std::filesystem::path& folder);

}  // namespace telltale::evidence
