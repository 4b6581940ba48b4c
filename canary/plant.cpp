#include "canary/plant.hpp"

#include <fmt/core.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "canary/scanner.hpp"

namespace telltale::canary {

namespace {

constexpr const char* kBinary = "the search reads binary files";
constexpr const char* kGzip = "the search opens gzip files";
constexpr const char* kName = "the search reads names";
constexpr const char* kLink = "the search reads links";
constexpr const char* kAttribute = "the search reads extended attributes";
constexpr const char* kPatterns = "the search knows every form";

// Every byte value, so NUL as well: whoever takes a file with NUL for "binary" passes over this
// one.
std::string binary_filler(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 167 + (i >> 8));
  return bytes;
}

bool write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file.flush());
}

bool write_gzip(const std::string& path, std::string_view bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const auto size = static_cast<unsigned>(bytes.size());
  const bool written = gzwrite(file, bytes.data(), size) == static_cast<int>(size);
  return gzclose(file) == Z_OK && written;
}

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

}  // namespace

const std::vector<std::string>& required_controls() {
  static const std::vector<std::string> names{kBinary, kGzip, kName, kLink, kPatterns};
  return names;
}

Result<Plant> Plant::make(const std::string& nonce) {
  auto folder = temporary_folder() + "/telltale-search-XXXXXX";
  Plant plant;
  if (mkdtemp(folder.data()) != nullptr) plant.folder_ = folder;
  auto filled = plant.folder_.empty()
                    ? Result<>(fail(Fault::instrument, fmt::format("{} could not be made: {}",
                                                                   folder, std::strerror(errno))))
                    : plant.fill(nonce);
  if (!filled) {
    filled.error().fix = "set TMPDIR to a folder that can be written to";
    return pass_on(filled.error());
  }
  return plant;
}

Plant::~Plant() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

Result<> Plant::fill(const std::string& nonce) {
  const auto across = kBufferSize - nonce.size() / 2;
  const auto deep = kBufferSize * 3 / 2;
  auto bytes = binary_filler(2 * kBufferSize);
  bytes.replace(across, nonce.size(), nonce).replace(deep, nonce.size(), nonce);
  const std::string lines(kBufferSize, '\n');
  const bool done = write_file(folder_ + "/binary", bytes) &&
                    write_gzip(folder_ + "/log.1.gz", lines + nonce + lines) &&
                    write_file(folder_ + "/" + nonce, "x") &&
                    symlink(nonce.c_str(), (folder_ + "/link").c_str()) == 0;
  if (!done)
    return fail(Fault::instrument,
                fmt::format("{} could not be filled: {}", folder_, std::strerror(errno)));
  places_ = {
      {kBinary,
       "binary",
       Place::content,
       fmt::format("a nonce found at bytes {} and {} of a binary file", across, deep),
       {across, deep}},
      {kGzip, "log.1.gz", Place::decoded, "a nonce found in a compressed log", {lines.size()}},
      {kName, nonce, Place::name, "a nonce found as the name of a file", {}},
      {kLink, "link", Place::link_target, "a nonce found as the target of a link", {}}};
  if (setxattr((folder_ + "/binary").c_str(), "user.telltale", nonce.data(), nonce.size(), 0) == 0)
    places_.push_back(
        {kAttribute, "binary", Place::attribute, "a nonce found in an extended attribute", {}});
  return {};
}

// `offsets` may hold more: what is wanted is there.
bool Plant::found(const Planted& planted, const std::vector<Hit>& hits, std::size_t nonce) const {
  const auto path = folder_ + "/" + planted.file;
  return std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) {
    return hit.path == path && hit.place == planted.place && hit.pattern == nonce &&
           std::includes(hit.offsets.begin(), hit.offsets.end(), planted.offsets.begin(),
                         planted.offsets.end());
  });
}

std::vector<evidence::Control> Plant::check(const std::vector<Hit>& hits, std::size_t nonce) const {
  std::vector<evidence::Control> controls;
  for (const auto& planted : places_) {
    const bool held = found(planted, hits, nonce);
    controls.push_back({planted.control, kObserver, evidence::Polarity::positive, planted.expected,
                        held ? "found" : "not found", held});
  }
  return controls;
}

evidence::Control check_patterns(const Matcher& matcher, const std::vector<Pattern>& patterns) {
  std::string buffer;
  std::vector<Match> planted;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    buffer += binary_filler(100 + i % 64);
    planted.push_back({buffer.size(), i});
    buffer += patterns[i].bytes;
  }
  std::vector<Match> found;
  matcher.find(buffer, found);
  const auto missing = std::count_if(planted.begin(), planted.end(), [&](const Match& match) {
    return std::find(found.begin(), found.end(), match) == found.end();
  });
  const auto all = patterns.size();
  return {kPatterns,
          kObserver,
          evidence::Polarity::positive,
          fmt::format("{} of {} forms found in memory", all, all),
          fmt::format("{} of {} found", all - static_cast<std::size_t>(missing), all),
          missing == 0};
}

}  // namespace telltale::canary
