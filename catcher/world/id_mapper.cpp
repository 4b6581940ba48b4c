#include "catcher/world/id_mapper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "catcher/world/remedy.hpp"
#include "catcher/world/user_namespace.hpp"

namespace telltale::catcher {

namespace {

using Words = std::vector<std::string>;

std::string whole_text(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool to_id(const std::string& text, std::uint64_t& number) {
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end;
}

std::string user_name(uid_t uid) {
  const passwd* entry = getpwuid(uid);
  return entry != nullptr ? entry->pw_name : std::to_string(uid);
}

// A program that the system has; not of the caller's PATH, as it runs with privilege.
std::string privileged_program(const std::string& name) {
  for (const auto* folder : {"/usr/bin/", "/usr/local/bin/", "/bin/", "/run/wrappers/bin/"})
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  return {};
}

// The arguments of newuidmap(1) behind the process: root is `own`, the ranges follow from 1 on.
Words map_words(std::uint64_t own, const std::vector<IdRange>& ranges) {
  Words words = {"0", std::to_string(own), "1"};
  std::uint64_t inside = 1;
  for (const auto& range : ranges) {
    for (const auto number : {inside, range.first, range.count})
      words.push_back(std::to_string(number));
    inside += range.count;
  }
  return words;
}

// What it says goes to standard error, which is the pipe to the tool.
bool run_program(Words words) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

// In the process that stays behind. `work` gets the tool's pid; what went wrong is on stderr.
[[noreturn]] void stay_behind(pid_t tool, int go, int said, const IdMapper::Work& work) {
  char word = 0;
  if (read(go, &word, 1) != 1) _exit(0);
  dup2(said, STDERR_FILENO);
  _exit(work(tool) ? 0 : 1);
}

bool map_every_id(pid_t tool) {
  for (const auto* name : {"uid_map", "gid_map"})
    if (!try_map(fmt::format("/proc/{}/{}", tool, name),
                 identity_map(whole_text(fmt::format("/proc/self/{}", name))))) {
      fmt::print(stderr, "{}: {}", name, std::strerror(errno));
      return false;
    }
  return true;
}

tl::unexpected<Error> no_ranges(const std::string& what, const std::string& fix) {
  return fail(Fault::instrument,
              "the subject is to change its user, and in the world of an ordinary user there is "
              "none to change to: " +
                  what,
              fix + "; or run the tool as root");
}

std::string range_remedy(const std::string& user) {
  return fmt::format("as root: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 {}",
                     user);
}

}  // namespace

std::vector<IdRange> subordinate_ids(const std::string& text, const std::string& name, uid_t uid) {
  std::vector<IdRange> ranges;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string user, first, count;
    std::getline(fields, user, ':');
    std::getline(fields, first, ':');
    std::getline(fields, count, ':');
    IdRange range;
    if ((user == name || user == std::to_string(uid)) && to_id(first, range.first) &&
        to_id(count, range.count) && range.count > 0)
      ranges.push_back(range);
  }
  return ranges;
}

bool try_map(const std::string& path, const std::string& text) {
  const subject::FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return false;
  return write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

IdMapper IdMapper::behind(const Work& work) {
  int go[2];
  int said[2];
  if (pipe2(go, O_CLOEXEC) != 0) return {};
  const subject::FileDescriptor waiting(go[0]);
  IdMapper mapper;
  mapper.go_ = subject::FileDescriptor(go[1]);
  if (pipe2(said, O_CLOEXEC) != 0) return {};
  const subject::FileDescriptor saying(said[1]);
  mapper.said_ = subject::FileDescriptor(said[0]);
  const pid_t tool = getpid();
  mapper.process_ = fork();
  if (mapper.process_ != 0) return mapper;
  mapper.go_.reset();
  stay_behind(tool, waiting.get(), saying.get(), work);
}

IdMapper::~IdMapper() {
  go_.reset();
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

IdMapper IdMapper::of_this_root() {
  return behind(map_every_id);
}

Result<IdMapper> IdMapper::of_ranges(uid_t uid, gid_t gid) {
  const auto user = user_name(uid);
  const auto users = privileged_program("newuidmap");
  const auto groups = privileged_program("newgidmap");
  if (users.empty() || groups.empty())
    return no_ranges("newuidmap and newgidmap are not installed",
                     "as root: apt-get install uidmap");
  const auto uids = subordinate_ids(whole_text("/etc/subuid"), user, uid);
  const auto gids = subordinate_ids(whole_text("/etc/subgid"), user, uid);
  if (uids.empty() || gids.empty())
    return no_ranges(
        fmt::format("/etc/sub{}id has no range for {}", uids.empty() ? 'u' : 'g', user),
        range_remedy(user));
  return behind([=](pid_t tool) {
    Words words = {users, std::to_string(tool)};
    Words group_words = {groups, std::to_string(tool)};
    const auto all = map_words(uid, uids);
    const auto all_groups = map_words(gid, gids);
    words.insert(words.end(), all.begin(), all.end());
    group_words.insert(group_words.end(), all_groups.begin(), all_groups.end());
    return run_program(words) && run_program(group_words);
  });
}

Result<> IdMapper::map() {
  const char word = 1;
  std::string said(1024, '\0');
  ssize_t size = -1;
  if (write(go_.get(), &word, 1) == 1) size = read(said_.get(), said.data(), said.size());
  int status = 0;
  const bool ended = waitpid(process_, &status, 0) == process_;
  process_ = 0;
  if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  said.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return no_ranges(
      "the map of its ids was refused: " + said.substr(0, said.find('\n')),
      "give the user a range of ids that is its alone; " + range_remedy(user_name(geteuid())));
}

}  // namespace telltale::catcher
