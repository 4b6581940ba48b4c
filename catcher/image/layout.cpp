#include "catcher/image/layout.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "evidence/rooted_files.hpp"
#include "evidence/subject_stamp.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher::image {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepestIndex = 4;  // an index of indexes

bool is_file_at(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string blob_name(const std::string& digest) {
  return "blobs/sha256/" + digest.substr(digest.find(':') + 1);
}

// A folder of blobs. Links in it are followed, but never out of it: `docker save` makes some.
class LayoutFolder {
 public:
  // `name` is what errors call it.
  LayoutFolder(const fs::path& path, std::string name)
      : name_(std::move(name)),
        root_(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
        files_(root_.get()) {}

  [[nodiscard]] bool has(const std::string& name) { return is_file_at(files_.at(name)); }

  [[nodiscard]] Result<std::string> read(const std::string& name) {
    const auto file = files_.at(name);
    std::ifstream in(file, std::ios::binary);
    std::string text(kDocumentLimit + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!is_file_at(file) || in.bad()) return missing(name);
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
  }

  // Its path, once it is what the digest says.
  [[nodiscard]] Result<fs::path> verified(const std::string& name, const std::string& digest) {
    const auto file = files_.at(name);
    if (!is_file_at(file)) return missing(name);
    auto found = evidence::sha256_of_file(file);
    if (!found) return pass_on(std::move(found.error()));
    if ("sha256:" + *found == digest) return fs::read_symlink(file);
    return fail(Fault::input,
                fmt::format("{} is not what it should be: its digest is sha256:{}, not {}",
                            name_of(name), *found, digest),
                "copy the image again: it is damaged, or somebody has changed it");
  }

  [[nodiscard]] Result<fs::path> blob(const Descriptor& wanted) {
    const auto name = blob_name(wanted.digest);
    std::error_code error;
    const auto file = files_.at(name);
    if (is_file_at(file) && fs::file_size(file, error) != wanted.size)
      return fail(Fault::input,
                  fmt::format("{} is not what it should be: it has {} bytes, not {}", name_of(name),
                              fs::file_size(file, error), wanted.size),
                  "copy the image again: it is cut, or somebody has changed it");
    return verified(name, wanted.digest);
  }

  [[nodiscard]] Result<std::string> document(const Descriptor& wanted) {
    if (auto fine = blob(wanted); !fine) return pass_on(std::move(fine.error()));
    return read(blob_name(wanted.digest));
  }

  [[nodiscard]] std::string name_of(const std::string& file) const { return name_ + "/" + file; }

 private:
  [[nodiscard]] tl::unexpected<Error> missing(const std::string& name) const {
    return fail(Fault::input, name_of(name) + " is missing",
                "copy the image again: it is not whole");
  }

  std::string name_;
  subject::FileDescriptor root_;
  evidence::RootedFiles files_;
};

bool fits(const Descriptor& manifest) {
  return (manifest.os.empty() || manifest.os == "linux") &&
         (manifest.architecture.empty() || manifest.architecture == own_architecture());
}

tl::unexpected<Error> no_platform(const std::string& where, const std::set<std::string>& there) {
  return fail(
      Fault::input,
      fmt::format("{} has no image for linux/{}; it has {}", where, own_architecture(),
                  there.empty() ? std::string("none") : fmt::format("{}", fmt::join(there, ", "))),
      "copy the image for this machine's platform");
}

class LayoutReading {
 public:
  LayoutReading(const fs::path& folder, std::string source, std::string wanted)
      : folder_(folder, source), source_(std::move(source)), wanted_(std::move(wanted)) {}

  Result<LayoutImage> run() {
    if (folder_.has("index.json")) return from_index();
    if (folder_.has("manifest.json")) return from_saved();
    return fail(Fault::input,
                source_ + " is no image layout: it has neither index.json nor manifest.json",
                "make one: skopeo copy docker://IMAGE oci:FOLDER, or docker save -o FILE IMAGE");
  }

 private:
  Result<LayoutImage> from_index() {
    auto text = folder_.read("index.json");
    if (!text) return pass_on(std::move(text.error()));
    auto index = parse_manifest(*text, folder_.name_of("index.json"));
    if (!index) return pass_on(std::move(index.error()));
    auto chosen = choose(*index);
    if (!chosen) return pass_on(std::move(chosen.error()));
    return from_manifest(*chosen, 0);
  }

  // By name where one was given, then by platform.
  Result<Descriptor> choose(const ManifestDocument& index) {
    std::vector<Descriptor> fitting;
    std::set<std::string> names;
    std::set<std::string> platforms;
    for (const auto& manifest : index.manifests) {
      names.insert(manifest.name);
      if (!wanted_.empty() && manifest.name != wanted_) continue;
      if (fits(manifest))
        fitting.push_back(manifest);
      else
        platforms.insert(manifest.os + "/" + manifest.architecture);
    }
    if (fitting.size() == 1) return fitting.front();
    if (!wanted_.empty() && names.count(wanted_) == 0)
      return fail(Fault::input, fmt::format("{} has no image of the name {}", source_, wanted_),
                  fmt::format("its names are: {}", fmt::join(names, ", ")));
    if (fitting.empty()) return no_platform(source_, platforms);
    return fail(
        Fault::input, fmt::format("{} has {} images", source_, fitting.size()),
        fmt::format("name one: {}:NAME; its names are: {}", source_, fmt::join(names, ", ")));
  }

  Result<LayoutImage> from_manifest(const Descriptor& chosen, int depth) {
    auto text = folder_.document(chosen);
    if (!text) return pass_on(std::move(text.error()));
    const auto name = folder_.name_of(blob_name(chosen.digest));
    auto manifest = parse_manifest(*text, name);
    if (!manifest) return pass_on(std::move(manifest.error()));
    if (manifest->is_index()) {
      wanted_.clear();  // the name was the index's
      auto inner = choose(*manifest);
      if (!inner) return pass_on(std::move(inner.error()));
      if (depth >= kDeepestIndex)
        return fail(Fault::input, name + " is an index of indexes without end",
                    "make the image again");
      return from_manifest(*inner, depth + 1);
    }
    return from_blobs(chosen, *manifest);
  }

  Result<LayoutImage> from_blobs(const Descriptor& chosen, const ManifestDocument& manifest) {
    if (manifest.config.media_type.find("image") == std::string::npos &&
        manifest.config.media_type.find("container") == std::string::npos)
      return fail(
          Fault::input,
          fmt::format("{} is no container image but {}", source_, manifest.config.media_type),
          "name a layout that holds an image");
    LayoutImage image;
    image.reference = source_ + (chosen.name.empty() ? "" : ":" + chosen.name);
    image.manifest_digest = chosen.digest;
    image.config_digest = manifest.config.digest;
    auto text = folder_.document(manifest.config);
    if (!text) return pass_on(std::move(text.error()));
    auto config = parse_config(*text, folder_.name_of(blob_name(manifest.config.digest)));
    if (!config) return pass_on(std::move(config.error()));
    image.config = std::move(*config);
    for (const auto& layer : manifest.layers) {
      if (layer.media_type.find(".tar") == std::string::npos)
        return fail(
            Fault::input,
            fmt::format("layer {} is no tar archive but {}", layer.digest, layer.media_type),
            "make the image again with layers of tar, tar+gzip or tar+zstd");
      auto file = folder_.blob(layer);
      if (!file) return pass_on(std::move(file.error()));
      image.layers.push_back({std::move(*file), "layer " + layer.digest});
    }
    return for_this_machine(std::move(image));
  }

  Result<LayoutImage> from_saved() {
    auto text = folder_.read("manifest.json");
    if (!text) return pass_on(std::move(text.error()));
    auto images = parse_saved_images(*text, folder_.name_of("manifest.json"));
    if (!images) return pass_on(std::move(images.error()));
    std::erase_if(*images, [this](const SavedImage& image) {
      return !wanted_.empty() &&
             std::find(image.names.begin(), image.names.end(), wanted_) == image.names.end();
    });
    if (images->size() != 1)
      return fail(Fault::input, fmt::format("{} has {} such images", source_, images->size()),
                  fmt::format("name one of them: {}:NAME", source_));
    return from_files(images->front());
  }

  // The name of the configuration is its digest, and that holds those of the layers.
  Result<LayoutImage> from_files(const SavedImage& saved) {
    LayoutImage image;
    image.reference = source_ + (saved.names.empty() ? "" : ":" + saved.names.front());
    image.config_digest = "sha256:" + fs::path(saved.config).stem().string();
    if (auto fine = folder_.verified(saved.config, image.config_digest); !fine)
      return pass_on(std::move(fine.error()));
    auto text = folder_.read(saved.config);
    if (!text) return pass_on(std::move(text.error()));
    auto config = parse_config(*text, folder_.name_of(saved.config));
    if (!config) return pass_on(std::move(config.error()));
    image.config = std::move(*config);
    const auto& digests = image.config.diff_ids;
    if (digests.size() != saved.layers.size())
      return fail(Fault::input,
                  fmt::format("{} names {} layers and {} digests of layers", source_,
                              saved.layers.size(), digests.size()),
                  "save the image again");
    for (std::size_t i = 0; i < digests.size(); ++i) {
      auto file = folder_.verified(saved.layers[i], digests[i]);
      if (!file) return pass_on(std::move(file.error()));
      image.layers.push_back({std::move(*file), "layer " + saved.layers[i]});
    }
    return for_this_machine(std::move(image));
  }

  // An index need not say what its manifests are for; the configuration must.
  Result<LayoutImage> for_this_machine(LayoutImage image) {
    const auto& config = image.config;
    if (config.os == "linux" && config.architecture == own_architecture()) return image;
    return no_platform(source_, {config.os + "/" + config.architecture});
  }

  LayoutFolder folder_;
  std::string source_;
  std::string wanted_;
};

// PATH:NAME, where PATH alone is there.
void split_name(const std::string& source, std::string& path, std::string& name) {
  std::error_code error;
  path = source;
  for (auto colon = source.find(':'); colon != std::string::npos && !fs::exists(path, error);
       colon = source.find(':', colon + 1))
    if (fs::exists(source.substr(0, colon), error)) {
      path = source.substr(0, colon);
      name = source.substr(colon + 1);
    }
}

}  // namespace

std::string own_architecture() {
  utsname system{};
  uname(&system);
  const std::string machine = system.machine;
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  if (machine == "i686" || machine == "i386") return "386";
  if (machine.starts_with("armv")) return "arm";
  if (machine == "loongarch64") return "loong64";
  return machine;  // riscv64, ppc64le, s390x
}

Result<LayoutImage> open_layout(const std::string& source, const fs::path& folder,
                                const UnpackLimits& limits) {
  std::string path;
  std::string name;
  split_name(source, path, name);
  std::error_code error;
  if (fs::is_directory(path, error)) return LayoutReading(path, path, name).run();
  if (!fs::exists(path, error))
    return fail(Fault::input, source + " does not exist",
                "name the folder or the archive of an image layout");
  auto unpacker = Unpacker::make(folder, limits);
  if (!unpacker) return pass_on(std::move(unpacker.error()));
  if (auto unpacked = unpacker->apply(path, path); !unpacked)
    return pass_on(std::move(unpacked.error()));
  unpacker->finish();
  return LayoutReading(folder, path, name).run();
}

}  // namespace telltale::catcher::image
