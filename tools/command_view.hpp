// What a command after `--` sees of files: the machine's, a copy-on-write view of them, another
// root folder, or a container image.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/result.hpp"
#include "evidence/subject_stamp.hpp"
#include "evidence/verdict.hpp"
#include "subject/launch.hpp"
#include "tools/setting_options.hpp"

namespace telltale::tools {

struct CommandView {
  FileView files;
  std::vector<std::string> command;  // what was given, or the image's own
  std::optional<subject::CommandPlace> place;
  std::optional<evidence::ImageStamp> image;
  std::vector<evidence::Limit> limits;
};

// An image is unpacked below `scratch`. Fault::input for options that do not go together, and for
// whatever is wrong with the image.
[[nodiscard]] Result<CommandView> open_view(const SettingOptions& options,
                                            const std::vector<std::string>& command,
                                            const std::filesystem::path& scratch);

}  // namespace telltale::tools
