#include "catcher/image/documents.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace telltale::catcher::image {

namespace {

using nlohmann::json;

constexpr std::string_view kAlgorithm = "sha256:";
constexpr std::size_t kHexDigits = 64;
constexpr std::size_t kWordLimit = 4096;  // of Env, Entrypoint and Cmd

tl::unexpected<Error> broken(const std::string& document, const std::string& why) {
  return fail(Fault::input, fmt::format("{} {}", document, why),
              "make the image again: it is not as the OCI image specification says");
}

Result<json> parse_object(std::string_view text, const std::string& document) {
  if (text.size() > kDocumentLimit)
    return broken(document, fmt::format("is longer than {} bytes", kDocumentLimit));
  auto parsed = json::parse(text, nullptr, false);
  if (parsed.is_discarded()) return broken(document, "is not JSON");
  return parsed;
}

// A member that is missing, or null, or of another kind, reads as nothing.
const json& member(const json& object, const char* name) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

std::string text_of(const json& object, const char* name) {
  const auto& value = member(object, name);
  auto text = value.is_string() ? value.get<std::string>() : std::string();
  return text.find('\0') == std::string::npos ? text : std::string();
}

bool read_words(const json& object, const char* name, std::vector<std::string>& words) {
  const auto& value = member(object, name);
  if (value.is_null()) return true;
  if (!value.is_array() || value.size() > kWordLimit) return false;
  for (const auto& word : value) {
    if (!word.is_string()) return false;
    words.push_back(word.get<std::string>());
    if (words.back().find('\0') != std::string::npos) return false;
  }
  return true;
}

bool read_descriptor(const json& object, Descriptor& made) {
  const auto& size = member(object, "size");
  made.media_type = text_of(object, "mediaType");
  made.digest = text_of(object, "digest");
  if (!size.is_number_unsigned() || !is_digest(made.digest)) return false;
  made.size = size.get<std::uint64_t>();
  const auto& platform = member(object, "platform");
  made.os = text_of(platform, "os");
  made.architecture = text_of(platform, "architecture");
  made.name = text_of(member(object, "annotations"), "org.opencontainers.image.ref.name");
  return true;
}

bool read_descriptors(const json& list, std::size_t limit, std::vector<Descriptor>& made) {
  if (!list.is_array() || list.size() > limit) return false;
  for (const auto& each : list)
    if (!read_descriptor(each, made.emplace_back())) return false;
  return true;
}

std::pair<std::string, std::string> variable(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return {text, ""};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

bool is_digest(std::string_view digest) {
  return digest.starts_with(kAlgorithm) && digest.size() == kAlgorithm.size() + kHexDigits &&
         std::all_of(digest.begin() + kAlgorithm.size(), digest.end(), [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

Result<ManifestDocument> parse_manifest(std::string_view text, const std::string& document) {
  auto parsed = parse_object(text, document);
  if (!parsed) return pass_on(std::move(parsed.error()));
  ManifestDocument made;
  const auto& manifests = member(*parsed, "manifests");
  if (!manifests.is_null()) {
    if (read_descriptors(manifests, kManifestLimit, made.manifests)) return made;
    return broken(document, "has a manifest without size and sha256 digest");
  }
  if (!read_descriptor(member(*parsed, "config"), made.config))
    return broken(document, "names neither manifests nor a configuration by size and digest");
  if (!read_descriptors(member(*parsed, "layers"), kLayerLimit, made.layers))
    return broken(document, "has a layer without size and sha256 digest");
  return made;
}

Result<ImageConfig> parse_config(std::string_view text, const std::string& document) {
  auto parsed = parse_object(text, document);
  if (!parsed) return pass_on(std::move(parsed.error()));
  ImageConfig made;
  made.os = text_of(*parsed, "os");
  made.architecture = text_of(*parsed, "architecture");
  const auto& run = member(*parsed, "config");
  std::vector<std::string> environment;
  if (!read_words(run, "Env", environment) || !read_words(run, "Entrypoint", made.entrypoint) ||
      !read_words(run, "Cmd", made.command) ||
      !read_words(member(*parsed, "rootfs"), "diff_ids", made.diff_ids))
    return broken(document, "has an Env, Entrypoint, Cmd or diff_ids that is no list of texts");
  std::transform(environment.begin(), environment.end(), std::back_inserter(made.environment),
                 variable);
  made.user = text_of(run, "User");
  made.folder = text_of(run, "WorkingDir");
  if (!made.folder.starts_with('/')) made.folder.insert(0, "/");
  return made;
}

Result<std::vector<SavedImage>> parse_saved_images(std::string_view text,
                                                   const std::string& document) {
  auto parsed = parse_object(text, document);
  if (!parsed) return pass_on(std::move(parsed.error()));
  if (!parsed->is_array() || parsed->size() > kManifestLimit)
    return broken(document, "is no list of images");
  std::vector<SavedImage> images;
  for (const auto& each : *parsed) {
    auto& image = images.emplace_back();
    image.config = text_of(each, "Config");
    if (image.config.empty() || !read_words(each, "Layers", image.layers) ||
        !read_words(each, "RepoTags", image.names) || image.layers.size() > kLayerLimit)
      return broken(document, "has an image without Config and Layers");
  }
  return images;
}

}  // namespace telltale::catcher::image
