// Runs every file below the given folders through the target that the file's folder is named after,
// whole and cut at every length. Needs no fuzzer, so every build does it.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/targets.hpp"

namespace {

constexpr std::size_t kCuts = 2048;  // files are small; a large one is cut at its first bytes

void replay(const telltale::fuzz::Target& target, const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(stream),
                                        std::istreambuf_iterator<char>()};
  target.run(bytes);
  for (std::size_t length = 0; length < bytes.size() && length < kCuts; ++length)
    target.run(std::vector<std::uint8_t>(bytes.begin(),
                                         bytes.begin() + static_cast<std::ptrdiff_t>(length)));
}

int replay_folder(const std::filesystem::path& folder) {
  int files = 0;
  for (const auto& target : telltale::fuzz::kAllTargets)
    if (std::filesystem::is_directory(folder / target.name))
      for (const auto& entry : std::filesystem::directory_iterator(folder / target.name)) {
        replay(target, entry.path());
        ++files;
      }
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) files += replay_folder(argv[i]);
  std::printf("%d inputs replayed\n", files);
  return files > 0 ? 0 : 1;
}
