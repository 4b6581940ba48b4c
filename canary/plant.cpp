#include "canary/plant.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "canary/opened_file.hpp"
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
  const auto at = kBufferSize - nonce.size() / 2;
  auto bytes = binary_filler(2 * kBufferSize);
  bytes.replace(at, nonce.size(), nonce);
  const auto log = std::string(4096, '\n') + nonce;
  const bool done = write_file(folder_ + "/binary", bytes) &&
                    write_gzip(folder_ + "/log.1.gz", log) &&
                    write_file(folder_ + "/" + nonce, "x") &&
                    symlink(nonce.c_str(), (folder_ + "/link").c_str()) == 0;
  if (!done)
    return fail(Fault::instrument,
                fmt::format("{} could not be filled: {}", folder_, std::strerror(errno)));
  places_ = {{kBinary, "binary", Place::content, fmt::format("a nonce found at byte {}", at)},
             {kGzip, "log.1.gz", Place::decoded, "a nonce found in a compressed log"},
             {kName, nonce, Place::name, "a nonce found as the name of a file"},
             {kLink, "link", Place::link_target, "a nonce found as the target of a link"}};
  if (setxattr((folder_ + "/binary").c_str(), "user.telltale", nonce.data(), nonce.size(), 0) == 0)
    places_.push_back(
        {kAttribute, "binary", Place::attribute, "a nonce found in an extended attribute"});
  return {};
}

std::vector<evidence::Control> Plant::check(const std::vector<Hit>& hits, std::size_t nonce) const {
  std::vector<evidence::Control> controls;
  for (const auto& planted : places_) {
    const auto path = folder_ + "/" + planted.file;
    const bool found = std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) {
      return hit.path == path && hit.place == planted.place && hit.pattern == nonce;
    });
    controls.push_back({planted.control, kObserver, evidence::Polarity::positive, planted.expected,
                        found ? "found" : "not found", found});
  }
  return controls;
}

evidence::Control check_patterns(const Matcher& matcher, const std::vector<Pattern>& patterns) {
  evidence::Control control{
      kPatterns,
      kObserver,
      evidence::Polarity::positive,
      fmt::format("{} of {} forms found in memory", patterns.size(), patterns.size()),
      "",
      false};
  subject::FileDescriptor fd(memfd_create("telltale-search", MFD_CLOEXEC));
  const auto place = [](std::size_t i) { return (i + 1) * kBufferSize - 4; };
  bool written = fd.valid();
  for (std::size_t i = 0; written && i < patterns.size(); ++i) {
    const auto& bytes = patterns[i].bytes;
    written = pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(place(i))) ==
              static_cast<ssize_t>(bytes.size());
  }
  struct stat status {};
  if (!written || fstat(fd.get(), &status) != 0) {
    control.observed = fmt::format("no file in memory: {}", std::strerror(errno));
    return control;
  }

  const OpenedFile file("", std::move(fd), status, matcher.longest() - 1);
  Scanner scanner(matcher, [] { return false; });
  std::vector<std::size_t> found;
  for (const auto& range : file.pieces()) {
    std::vector<Hit> hits;
    scanner.scan(file.fd(), range).found.append_hits("", Place::content, "", hits);
    for (const auto& hit : hits) {
      const auto& offsets = hit.offsets;
      if (hit.pattern < patterns.size() &&
          std::find(offsets.begin(), offsets.end(), place(hit.pattern)) != offsets.end())
        found.push_back(hit.pattern);
    }
  }
  control.observed = fmt::format("{} of {} found", found.size(), patterns.size());
  control.held = found.size() == patterns.size();
  return control;
}

}  // namespace telltale::canary
