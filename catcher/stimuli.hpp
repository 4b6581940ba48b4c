// Acts of the control caller on the network: one system call each that an observer must see, and
// what the kernel said of it.
#pragma once

#include <string>
#include <vector>

namespace telltale::catcher {

// What the acts are, one line each, for a usage text.
[[nodiscard]] std::string stimuli_usage();

// Exit status as run_caller's (caller.hpp); -1: `words` name no act of this file.
[[nodiscard]] int run_stimulus(const std::vector<std::string>& words);

}  // namespace telltale::catcher
