#include <CLI/CLI.hpp>

#include "tools/audit.hpp"
#include "tools/cipher_search.hpp"
#include "tools/tool.hpp"

namespace telltale::tools {

namespace {

constexpr const char* kCipherUsage =
    "\n\n  cipher [options] SUBJECT.yaml\n  cipher search DIR... --canary V | -f FILE | -f -";

evidence::ExitStatus run_cipher(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "search")
    return cipher_search({std::next(arguments.begin()), arguments.end()});
  CLI::App app(std::string(cipher_tool.summary) + kCipherUsage, std::string(cipher_tool.name));
  AuditRequest request;
  request.tool = request.lane = "cipher";
  add_common_options(app, request.common);
  app.add_option("SUBJECT.yaml", request.file, "what to start, write to, read back and search")
      ->required();
  if (const auto over = parse(app, arguments, request.common)) return *over;
  return audit(request);
}

}  // namespace

const Tool cipher_tool = {"cipher", "Is what was written readable on the disk?", run_cipher};

}  // namespace telltale::tools
