#include "tools/command_view.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include "catcher/image/image.hpp"
#include "evidence/counted.hpp"
#include "subject/environment.hpp"

namespace telltale::tools {

namespace {

namespace fs = std::filesystem;
using catcher::image::Image;

std::vector<evidence::Limit> limits_of(const Image& image) {
  std::vector<evidence::Limit> limits;
  if (image.report.devices > 0)
    limits.push_back({fmt::format("the image: {} device nodes and sockets were not made",
                                  image.report.devices)});
  if (image.report.owners > 0)
    limits.push_back({fmt::format(
        "the image: unpacked by an ordinary user, so all files belong to its user {}, which stands "
        "for yours; a program that becomes another one is refused (EINVAL)",
        image.user.name)});
  return limits;
}

Result<> fill_from(const Image& image, CommandView& view) {
  const auto& layout = image.layout;
  view.command = image.command(view.command);
  if (view.command.empty())
    return fail(Fault::input,
                layout.reference + " has no command: neither Entrypoint nor Cmd is set",
                "give one: egress --oci PATH -- COMMAND");
  view.files.root = image.root;
  view.files.user = catcher::SubjectIds{image.user.uid, image.user.gid};
  view.place.emplace();
  view.place->environment.variables = image.environment();
  view.place->folder = layout.config.folder;
  view.place->user = image.user;
  view.image = {layout.reference, layout.manifest_digest, layout.config_digest,
                layout.config.os + "/" + layout.config.architecture};
  view.limits = limits_of(image);
  return {};
}

}  // namespace

Result<CommandView> open_view(const SettingOptions& options,
                              const std::vector<std::string>& command, const fs::path& scratch) {
  CommandView view;
  view.command = command;
  const auto overlay = overlay_wanted(options);
  if (!overlay) return pass_on(overlay.error());
  if (*overlay) view.files.covered = {subject::own_home_of(""), fs::current_path()};
  if (!options.rootfs.empty()) {
    view.files.root = options.rootfs;
    view.place = {subject::own_environment(subject::tool_environment()), "/", {}};
  }
  if (options.oci.empty()) return view;
  auto image = catcher::image::unpack_image(options.oci, scratch / "image", {});
  if (!image) return pass_on(std::move(image.error()));
  if (auto filled = fill_from(*image, view); !filled) return pass_on(std::move(filled.error()));
  return view;
}

}  // namespace telltale::tools
