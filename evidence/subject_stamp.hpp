// The program that a figure speaks about.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::evidence {

// A file that was executed: the program, and the script or jar that an interpreter was given.
struct ExecutedFile {
  std::string path;        // absolute, links resolved
  std::string sha256;      // 64 lower-case hex digits
  std::uint64_t size = 0;  // bytes
  std::string role;        // "program", "interpreter", "script", "jar"
};

// Where the source is. Empty strings: not known (no checkout), and the report says so.
struct SourceIdentity {
  std::string path;    // as given, made absolute
  std::string remote;  // of `origin`, credentials taken out
  std::string commit;
  bool dirty = false;  // tracked files differ from the commit; untracked files do not count
};

// The container image that the files are of.
struct ImageStamp {
  std::string reference;        // as it was named: PATH, or PATH:NAME
  std::string manifest_digest;  // "sha256:..."; empty: its archive has none
  std::string config_digest;
  std::string platform;  // "linux/amd64"
};

struct SubjectStamp {
  std::string name;
  std::vector<ExecutedFile> files;
  SourceIdentity source;
  std::optional<ImageStamp> image{};
};

// Streams the file; memory use does not depend on its size. Fault::input when it cannot be read.
[[nodiscard]] Result<std::string> sha256_of_file(const std::filesystem::path& path);
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

// argv as it will be executed: argv[0] is looked up in `path` (the PATH of the subject), relative
// names in `folder` (its working folder). A "#!" file gives its interpreter and the script;
// `env X`, `java -jar x` and `python x.py` give every file. In the order of execution, the
// subject's own file last. Not seen: libraries, modules and files that the program loads later, and
// code given as an argument (`sh -c`). All names are those of `root` (RootedFiles). Fault::input when
// a file is missing or not executable.
[[nodiscard]] Result<std::vector<ExecutedFile>> executed_files(const std::vector<std::string>& argv,
                                                               const std::string& path,
                                                               const std::filesystem::path& folder,
                                                               int root = -1);

// Asks git, never a network; no git or no checkout leaves all but `path` empty.
[[nodiscard]] SourceIdentity read_source(const std::filesystem::path& folder);

// "https://user:token@host/x?key=1" -> "https://host/x"; "git@host:x" -> "host:x"
[[nodiscard]] std::string without_credentials(std::string_view remote);

}  // namespace telltale::evidence
