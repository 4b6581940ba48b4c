#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "evidence/interpreter.hpp"
#include "evidence/rooted_files.hpp"
#include "evidence/subject_stamp.hpp"

namespace telltale::evidence {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 6;  // the kernel follows "#!" 4 times (BINPRM_MAX_RECURSION); env adds

class Tracer {
 public:
  Tracer(std::string path, fs::path folder, int root)
      : path_(std::move(path)), folder_(std::move(folder)), files_seen_(root) {}

  Result<> trace(const std::vector<std::string>& argv, const std::string& role, int depth = 0);
  std::vector<ExecutedFile> take() { return std::move(files_); }

 private:
  bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(files_seen_.at(path), ignored);
  }
  bool is_executable(const fs::path& path) {
    return access(files_seen_.at(path).c_str(), X_OK) == 0;
  }

  Result<fs::path> find_program(const std::string& name);
  Result<> trace_script(const fs::path& file, const std::string& line, int depth);
  Result<> trace_interpreted(const std::vector<std::string>& argv);
  fs::path find_script(const std::string& name);
  Result<> add(const fs::path& file, const std::string& role);

  std::string path_;
  fs::path folder_;
  RootedFiles files_seen_;
  std::vector<ExecutedFile> files_;
};

Result<fs::path> Tracer::find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    const auto file = folder_ / name;
    if (!is_file(file))
      return fail(Fault::input, fmt::format("the program {} does not exist", file.string()),
                  "build it, or correct the path in the command");
    if (!is_executable(file))
      return fail(Fault::input, fmt::format("{} is not executable", file.string()),
                  fmt::format("chmod +x {}", file.string()));
    return file;
  }
  std::istringstream folders(path_);
  for (std::string each; std::getline(folders, each, ':');) {
    const auto file = folder_ / each / name;  // an absolute `each` replaces folder_
    if (is_file(file) && is_executable(file)) return file;
  }
  return fail(Fault::input, fmt::format("the program \"{}\" is not on the PATH ({})", name, path_),
              "install it, or give its path with a \"/\" in it");
}

// The first line after "#!", or nothing when the file does not start so.
std::string interpreter_line(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  char mark[2] = {0, 0};
  in.read(mark, 2);
  if (!in || mark[0] != '#' || mark[1] != '!') return {};
  std::string line(256, '\0');  // BINPRM_BUF_SIZE: the kernel reads no further
  in.read(line.data(), std::ssize(line));
  line.resize(static_cast<std::size_t>(in.gcount()));
  return line.substr(0, line.find_first_of(std::string_view("\n\0", 2)));
}

Result<> Tracer::trace(const std::vector<std::string>& argv, const std::string& role, int depth) {
  if (argv.empty() || argv.front().empty())
    return fail(Fault::input, "the command is empty", "name the program to start");
  if (depth > kDeepest)
    return fail(Fault::input, fmt::format("\"{}\" is an interpreter of itself", argv.front()),
                "correct the \"#!\" line of the script");
  auto program = find_program(argv.front());
  if (!program) return pass_on(program.error());
  if (const auto line = interpreter_line(files_seen_.at(*program)); !line.empty())
    return trace_script(*program, line, depth);
  if (program->filename() == "env") {
    const auto command = command_of_env(argv);
    if (auto added = add(*program, command.empty() ? role : "interpreter"); !added) return added;
    return command.empty() ? Result<>{} : trace(command, role, depth + 1);
  }
  const auto interpreted = !interpreted_files(argv).empty();
  if (auto added = add(*program, interpreted ? "interpreter" : role); !added) return added;
  return trace_interpreted(argv);
}

// Linux gives the interpreter everything after its name as one argument (execve(2)).
Result<> Tracer::trace_script(const fs::path& file, const std::string& line, int depth) {
  std::istringstream in(line);
  std::string name;
  std::string argument;
  in >> name >> std::ws;
  std::getline(in, argument);
  std::vector<std::string> command{name};
  if (const auto end = argument.find_last_not_of(" \t\r"); end != std::string::npos)
    command.push_back(argument.substr(0, end + 1));
  if (auto traced = trace(command, "interpreter", depth + 1); !traced) return traced;
  return add(file, "script");
}

fs::path Tracer::find_script(const std::string& name) {
  const auto file = folder_ / name;
  // node and python complete the name.
  for (const auto& candidate :
       {file, fs::path(file.string() + ".js"), file / "index.js", file / "__main__.py"})
    if (is_file(candidate)) return candidate;
  return file;
}

Result<> Tracer::trace_interpreted(const std::vector<std::string>& argv) {
  for (const auto& [name, role] : interpreted_files(argv)) {
    const auto file = find_script(name);
    if (!is_file(file))
      return fail(Fault::input,
                  fmt::format("the {} {} that {} is given does not exist", role, file.string(),
                              argv.front()),
                  "build it, or correct the path in the command");
    if (auto added = add(file, role); !added) return added;
  }
  return {};
}

Result<> Tracer::add(const fs::path& file, const std::string& role) {
  const auto path = files_seen_.canonical(file);
  const auto same = [&](const ExecutedFile& known) {
    return known.path == path.string() && known.role == role;
  };
  if (std::any_of(files_.begin(), files_.end(), same)) return {};
  const auto opened = files_seen_.at(path);
  auto hash = sha256_of_file(opened);
  if (!hash) return pass_on(hash.error());
  std::error_code error;
  files_.push_back({path.string(), *hash, fs::file_size(opened, error), role});
  return {};
}

}  // namespace

Result<std::vector<ExecutedFile>> executed_files(const std::vector<std::string>& argv,
                                                 const std::string& path,
                                                 const std::filesystem::path& folder, int root) {
  Tracer tracer(path, root < 0 ? fs::absolute(folder) : folder, root);
  if (auto traced = tracer.trace(argv, "program"); !traced) return pass_on(traced.error());
  return tracer.take();
}

}  // namespace telltale::evidence
