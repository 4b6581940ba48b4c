#include "subject/process/start_error.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "evidence/rooted_files.hpp"

namespace telltale::subject {

namespace {

namespace fs = std::filesystem;

constexpr auto kDefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

std::string path_of(const ProcessPlan& plan) {
  for (const auto& [name, value] : plan.environment)
    if (name == "PATH") return value;
  return kDefaultPath;
}

bool executable_file(const fs::path& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(file.c_str(), X_OK) == 0;
}

std::string first_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(4096, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

// PT_INTERP of a 64-bit ELF file (elf(5)); empty when there is none in the first bytes.
std::string elf_loader(const std::string& bytes) {
  Elf64_Ehdr header{};
  if (bytes.size() < sizeof header || bytes[EI_CLASS] != ELFCLASS64) return {};
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::size_t index = 0; index < header.e_phnum; ++index) {
    Elf64_Phdr part{};
    const std::size_t at = header.e_phoff + index * sizeof part;
    if (at + sizeof part > bytes.size()) return {};
    std::memcpy(&part, bytes.data() + at, sizeof part);
    if (part.p_type == PT_INTERP && part.p_offset + part.p_filesz <= bytes.size())
      return bytes.substr(part.p_offset, part.p_filesz > 0 ? part.p_filesz - 1 : 0);
  }
  return {};
}

bool is_elf(const std::string& bytes) {
  return bytes.starts_with(ELFMAG);
}

// What stands after #!, up to a blank; a carriage return is part of it, as it is for the kernel.
std::string script_interpreter(const std::string& bytes) {
  if (!bytes.starts_with("#!")) return {};
  const std::string line = bytes.substr(2, bytes.find('\n') - 2);
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos) return {};
  return line.substr(start, line.find_first_of(" \t", start) - start);
}

// The program as the child saw it: a relative name starts at the folder of the plan.
fs::path seen_by_child(const Child& child) {
  return child.program().is_absolute() ? child.program() : child.plan().folder / child.program();
}

// `opened` is where the tool reads the same file.
Error missing(const fs::path& file, const fs::path& opened) {
  const std::string bytes = first_bytes(opened);
  if (auto interpreter = script_interpreter(bytes); !interpreter.empty()) {
    const bool carriage_return = interpreter.ends_with('\r');
    if (carriage_return) interpreter.pop_back();
    return {Fault::subject,
            fmt::format("{} names an interpreter that does not exist: {}{}", file.string(),
                        interpreter, carriage_return ? " and a carriage return" : ""),
            carriage_return ? "convert the script to Unix line ends"
                            : "install " + interpreter + ", or correct the script's first line"};
  }
  if (const auto loader = elf_loader(bytes); !loader.empty())
    return {Fault::subject,
            fmt::format("{} needs the loader {}, which does not exist here", file.string(), loader),
            "install the C library that it was linked with, or link it statically"};
  return {Fault::subject, fmt::format("{} does not exist", file.string()),
          "build it first, or correct the command"};
}

Error no_format(const fs::path& file, const fs::path& opened) {
  const std::string bytes = first_bytes(opened);
  if (bytes.empty()) return {Fault::subject, file.string() + " is empty", "build it again"};
  if (is_elf(bytes))
    return {Fault::subject, file.string() + " is a program for another processor or system",
            "build it for this machine (uname -m)"};
  return {Fault::subject, file.string() + " is neither a program nor a script with a #! line",
          "put #!/bin/sh, or the interpreter that it needs, on its first line"};
}

// The first folder above the file that this user cannot pass, by the mode bits alone.
fs::path closed_folder(const fs::path& file, const Identity& who) {
  fs::path walked;
  for (const auto& part : file.parent_path()) {
    walked /= part;
    struct stat status {};
    if (stat(walked.c_str(), &status) != 0) return {};
    const mode_t bit = status.st_uid == who.uid   ? S_IXUSR
                       : status.st_gid == who.gid ? S_IXGRP
                                                  : S_IXOTH;
    if (who.uid != 0 && (status.st_mode & bit) == 0) return walked;
  }
  return {};
}

Error refused(const Child& child, const fs::path& file, const fs::path& opened) {
  struct stat status {};
  if (stat(opened.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    return {Fault::subject, file.string() + " is a folder", "name the program in it"};
  if (const auto who = find_identity(child.plan().user); who && child.plan().root < 0)
    if (const auto closed = closed_folder(fs::absolute(file), *who); !closed.empty())
      return {Fault::subject,
              fmt::format("{} cannot be reached by the user {}: {} is closed to it", file.string(),
                          who->name, closed.string()),
              "open that folder (chmod a+x), or move the program"};
  return {Fault::subject, file.string() + " is not executable",
          fmt::format("chmod +x {} (and check that its file system is not mounted noexec)",
                      file.string())};
}

Error exec_error(const Child& child, int error) {
  const fs::path file = seen_by_child(child);
  evidence::RootedFiles files(child.plan().root);
  const fs::path opened = files.at(file);
  if (error == ENOENT || error == ENOTDIR) return missing(file, opened);
  if (error == EACCES || error == EPERM) return refused(child, file, opened);
  if (error == ENOEXEC) return no_format(file, opened);
  if (error == ETXTBSY)
    return {Fault::subject, file.string() + " is still being written", "wait for its build to end"};
  if (error == E2BIG)
    return {Fault::subject, file.string() + ": the arguments and variables are too long",
            "shorten `command:` and `env:`, or give the text in a file"};
  return {Fault::subject, fmt::format("{} did not start: {}", file.string(), strerror(error)), ""};
}

}  // namespace

Result<fs::path> find_program(const ProcessPlan& plan) {
  if (plan.argv.empty() || plan.argv.front().empty())
    return fail(Fault::input, "there is no command to start", "name the program in `command:`");
  const std::string& name = plan.argv.front();
  if (name.find('/') != std::string::npos) return fs::path(name);
  const std::string path = path_of(plan);
  evidence::RootedFiles files(plan.root);
  std::istringstream folders(path);
  fs::path found;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    const fs::path opened = files.at(candidate);
    if (executable_file(opened)) return candidate;
    if (found.empty() && access(opened.c_str(), F_OK) == 0) found = candidate;
  }
  if (!found.empty()) return found;  // its own exec says what is wrong with it
  return fail(Fault::subject, fmt::format("{} is in no folder of PATH ({})", name, path),
              "install it, or give its full path");
}

Error start_error(const Child& child, const StageFailure& failure) {
  const std::string reason = strerror(failure.error);
  const std::string& user = child.plan().user;
  const std::string folder = child.plan().folder.string();
  switch (failure.stage) {
    case Stage::exec:
      return exec_error(child, failure.error);
    case Stage::world:
      return {Fault::instrument,
              fmt::format("a new process could not enter the sealed world: {}", reason),
              "start the run again; if it stays, report it with the system's kernel version"};
    case Stage::user:
      return {Fault::input, fmt::format("the tool cannot become the user {}: {}", user, reason),
              "run the tool as root, or take `user:` out"};
    case Stage::folder:
      return {Fault::subject,
              fmt::format("{} cannot enter its working folder {}: {}",
                          user.empty() ? "the subject" : "the user " + user, folder, reason),
              "make the folder, and open those above it to that user (TMPDIR may be closed)"};
    default:
      return {Fault::instrument,
              fmt::format("a new process could not be set up (stage {}): {}",
                          static_cast<int>(failure.stage), reason),
              "report this with the system's name and kernel version"};
  }
}

}  // namespace telltale::subject
