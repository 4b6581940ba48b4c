// Names the source that a subject was built from, by asking git.
//
// The checkout may belong to another user and may be hostile, so git gets no configuration of the
// user or the system, no terminal, no transport at all (GIT_ALLOW_PROTOCOL=none: a partial clone
// must not fetch), no lock on the index, no file-system monitor and no hook. Not prevented: a
// clean filter that the checkout's own configuration names (`filter.NAME.clean`) is run by
// `git status`; the subject that is about to be started has the same author.
#include <algorithm>
#include <cstdlib>

#include "evidence/program_output.hpp"
#include "evidence/subject_stamp.hpp"

namespace telltale::evidence {

namespace {

namespace fs = std::filesystem;

class Git {
 public:
  explicit Git(fs::path top) : top_(std::move(top)) {}

  // The first line of the answer, or empty.
  [[nodiscard]] std::optional<std::string> ask(const std::vector<std::string>& words) const {
    std::vector<std::string> argv{"git",
                                  "-C",
                                  top_.string(),
                                  "-c",
                                  "safe.directory=" + top_.string(),
                                  "-c",
                                  "core.fsmonitor=false",
                                  "-c",
                                  "core.hooksPath=/dev/null"};
    argv.insert(argv.end(), words.begin(), words.end());
    auto text = output_of(argv, environment());
    if (text) text->resize(std::min(text->size(), text->find('\n')));
    return text;
  }

 private:
  static std::vector<std::string> environment() {
    const char* path = std::getenv("PATH");
    return {std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin"),
            "HOME=/nonexistent",
            "LC_ALL=C",
            "GIT_CONFIG_GLOBAL=/dev/null",
            "GIT_CONFIG_SYSTEM=/dev/null",
            "GIT_TERMINAL_PROMPT=0",
            "GIT_OPTIONAL_LOCKS=0",
            "GIT_ALLOW_PROTOCOL=none",
            "GIT_NO_LAZY_FETCH=1"};
  }

  fs::path top_;
};

// The folder that holds `.git` (a folder, or the file of a worktree or submodule).
fs::path checkout_of(fs::path folder) {
  std::error_code ignored;
  for (; !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", ignored)) return folder;
    if (folder == folder.root_path()) break;
  }
  return {};
}

}  // namespace

SourceIdentity read_source(const fs::path& folder) {
  SourceIdentity source;
  std::error_code error;
  const auto real = fs::canonical(folder, error);
  if (folder.empty() || error) return source;
  source.path = real.string();
  const auto top = checkout_of(real);
  if (top.empty()) return source;
  const Git git(top);
  source.commit = git.ask({"rev-parse", "--verify", "HEAD"}).value_or("");
  if (source.commit.empty()) return source;
  source.remote =
      without_credentials(git.ask({"config", "--get", "remote.origin.url"}).value_or(""));
  // Submodules are compared by their commit only: git would run in them without our settings.
  const auto changes =
      git.ask({"status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"});
  source.dirty = !changes || !changes->empty();
  return source;
}

std::string without_credentials(std::string_view remote) {
  const auto scheme = remote.find("://");
  if (scheme != std::string_view::npos) {
    const auto begin = scheme + 3;
    remote = remote.substr(0, remote.find_first_of("?#", begin));
    const auto end = std::min(remote.find('/', begin), remote.size());
    const auto at = remote.substr(0, end).rfind('@');
    if (at == std::string_view::npos || at < begin) return std::string(remote);
    return std::string(remote.substr(0, begin)) + std::string(remote.substr(at + 1));
  }
  // scp's form, user@host:path: a colon before any slash (git-clone(1), GIT URLS). The last @
  // before the path is the one, so that "user:token@host:path" loses its token too.
  const auto end = std::min(remote.find('/'), remote.size());
  const auto at = remote.substr(0, end).rfind('@');
  if (remote.find(':') > end || at == std::string_view::npos) return std::string(remote);
  return std::string(remote.substr(at + 1));
}

}  // namespace telltale::evidence
