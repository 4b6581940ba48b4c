#include "catcher/image/image.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "catcher/image/users.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher::image {

namespace {

constexpr auto kContainerPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

using Variables = std::vector<std::pair<std::string, std::string>>;

void add_if_missing(Variables& variables, const char* name, const std::string& value) {
  if (std::none_of(variables.begin(), variables.end(),
                   [name](const auto& variable) { return variable.first == name; }))
    variables.emplace_back(name, value);
}

}  // namespace

std::vector<std::string> Image::command(const std::vector<std::string>& given) const {
  if (!given.empty()) return given;
  auto words = layout.config.entrypoint;
  words.insert(words.end(), layout.config.command.begin(), layout.config.command.end());
  return words;
}

Variables Image::environment() const {
  auto variables = layout.config.environment;
  add_if_missing(variables, "PATH", kContainerPath);
  add_if_missing(variables, "HOME", user.home);
  return variables;
}

Result<Image> unpack_image(const std::string& source, const std::filesystem::path& folder,
                           const UnpackLimits& limits) {
  if (mkdir(folder.c_str(), 0700) != 0)
    return fail(Fault::instrument, folder.string() + " cannot be made: " + std::strerror(errno),
                "set TMPDIR to a folder that can be written");
  auto layout = open_layout(source, folder / "layout", limits);
  if (!layout) return pass_on(std::move(layout.error()));
  Image image;
  image.root = folder / "root";
  auto unpacker = Unpacker::make(image.root, limits);
  if (!unpacker) return pass_on(std::move(unpacker.error()));
  for (const auto& layer : layout->layers)
    if (auto applied = unpacker->apply(layer.file, layer.name); !applied)
      return pass_on(std::move(applied.error()));
  const subject::FileDescriptor root(open(image.root.c_str(), O_PATH | O_CLOEXEC));
  auto user = find_image_user(layout->config.user, root.get());
  if (!user) return pass_on(std::move(user.error()));
  unpacker->make_sure_of(layout->config.folder);
  unpacker->finish();
  image.report = unpacker->report();
  image.layout = std::move(*layout);
  image.user = std::move(*user);
  return image;
}

}  // namespace telltale::catcher::image
