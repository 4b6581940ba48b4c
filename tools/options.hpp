// What every tool takes on its command line (DESIGN, "The tools").
//
//   CLI::App app("can anyone fetch this?", "self");
//   CommonOptions options;
//   add_common_options(app, options);
//   app.add_option(...);                                    // the tool's own
//   if (const auto over = parse(app, arguments, options)) return *over;
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "evidence/exit_status.hpp"
#include "evidence/progress.hpp"
#include "evidence/report/format.hpp"
#include "evidence/result.hpp"
#include "evidence/verdict.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace telltale::tools {

// One --format F[=PATH].
struct FormatRequest {
  const evidence::ReportFormat* format = nullptr;  // never null after parse()
  std::filesystem::path file;                      // empty: stdout, or the file of -o
};

struct CommonOptions {
  // At least one after parse(); at most one of them without a file of its own.
  std::vector<FormatRequest> formats;
  std::filesystem::path output_file;    // -o; empty: stdout
  std::filesystem::path output_folder;  // --out; empty: not asked for
  evidence::Verbosity verbosity = evidence::Verbosity::normal;
  bool no_color = false;
  evidence::Acceptance accept;

  // As written, before parse() has looked at them.
  std::vector<std::string> format_words;
  bool json = false, quiet = false, verbose = false;
};

void add_common_options(CLI::App& app, CommonOptions& options);

// Nothing: go on. Else the run is over: --help and --version (0), a mistake (2, said on stderr with
// the nearest right name).
[[nodiscard]] std::optional<evidence::ExitStatus> parse(CLI::App& app,
                                                        const std::vector<std::string>& arguments,
                                                        CommonOptions& options);

// The same for a command that does not take the common options.
[[nodiscard]] std::optional<evidence::ExitStatus> parse(CLI::App& app,
                                                        const std::vector<std::string>& arguments);

// An empty value (--out "$UNSET") is a mistake, not the same as leaving the option out.
CLI::Option* filled(CLI::Option* option);

// "egress 0.1.0 (commit)"
[[nodiscard]] std::string version_line(const std::string& name);

}  // namespace telltale::tools
