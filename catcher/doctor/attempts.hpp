// The attempts of mechanisms.hpp. Each may spoil the process that it runs in (apart.hpp).
#pragma once

#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher::attempts {

// namespace_attempts.cpp: the parts of a World
[[nodiscard]] Result<std::string> user_namespace();
[[nodiscard]] Result<std::string> network_namespace();
[[nodiscard]] Result<std::string> network_settings();
[[nodiscard]] Result<std::string> veth_pair();
[[nodiscard]] Result<std::string> redirection();
[[nodiscard]] Result<std::string> processes_and_mounts();
[[nodiscard]] Result<std::string> all_ids();
[[nodiscard]] Result<std::string> overlay();

// sight_attempts.cpp: what observers stand on
[[nodiscard]] Result<std::string> packet_capture();
[[nodiscard]] Result<std::string> socket_dump();
[[nodiscard]] Result<std::string> destroy_groups();
[[nodiscard]] Result<std::string> notification();
[[nodiscard]] Result<std::string> descriptors_of_others();
[[nodiscard]] Result<std::string> landlock();
[[nodiscard]] Result<std::string> temporary_folder();

}  // namespace telltale::catcher::attempts
