// What is mounted where: /proc/PID/mountinfo, proc(5).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace telltale::catcher {

struct MountedAt {
  std::string point;
  std::string type;    // "ext4"
  std::string source;  // as whoever mounted it called it
};

// In the order of the table: a later one lies over an earlier one at the same point.
[[nodiscard]] std::vector<MountedAt> parse_mount_table(std::string_view mountinfo);
[[nodiscard]] std::vector<MountedAt> read_mount_table(const std::string& mountinfo_file);

}  // namespace telltale::catcher
