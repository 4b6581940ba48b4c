#include "canary/stray_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "canary/matcher.hpp"

namespace telltale::canary {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostStrayEntries = 20'000;  // of one folder
constexpr int kDeepestStray = 3;                   // folders below it
constexpr std::size_t kMostStrayBytes = std::size_t{16} << 20;

bool changed_since(const fs::path& file, std::time_t since) {
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
    return false;
  return status.st_mtime >= since || status.st_ctime >= since;
}

// Empty when it cannot be read, or is gone.
std::string beginning_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes;
  std::string piece(std::size_t{1} << 20, '\0');
  while (bytes.size() < kMostStrayBytes &&
         (in.read(piece.data(), static_cast<std::streamsize>(piece.size())), in.gcount() > 0))
    bytes.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  return bytes;
}

class StrayLook {
 public:
  explicit StrayLook(const StrayPlan& plan)
      : plan_(plan), matcher_(make_gram_matcher(plan.canaries)) {}

  void look_into(const fs::path& folder) {
    std::error_code error;
    std::size_t entries = 0;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (++entries > kMostStrayEntries) {
        found_.cut = true;
        return;
      }
      const auto& without = plan_.without;
      if (entry.depth() == kDeepestStray ||
          std::find(without.begin(), without.end(), entry->path()) != without.end())
        entry.disable_recursion_pending();
      if (changed_since(entry->path(), plan_.since)) search(entry->path());
    }
  }

  StrayFiles take() { return std::move(found_); }

 private:
  void search(const fs::path& file) {
    const auto bytes = beginning_of(file);
    if (bytes.empty()) return;
    ++found_.files;
    std::vector<Match> matches;
    matcher_->find(bytes, matches);
    Occurrences here;
    for (const auto& match : matches) here.add(match.literal, match.offset);
    here.append_hits(file.string(), Place::content, "", found_.hits);
  }

  const StrayPlan& plan_;
  std::unique_ptr<Matcher> matcher_;
  StrayFiles found_;
};

}  // namespace

std::vector<fs::path> shared_folders() {
  return {"/tmp", "/var/tmp", "/dev/shm"};
}

StrayFiles stray_files(const StrayPlan& plan) {
  if (plan.canaries.empty()) return {};
  StrayLook look(plan);
  for (const auto& folder : plan.folders) look.look_into(folder);
  return look.take();
}

}  // namespace telltale::canary
