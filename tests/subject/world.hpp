// What the tests of starting, watching and stopping share: the actor as a subject, and looks at the
// machine from outside of the room under test.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "subject/enclosure.hpp"
#include "support/temporary_folder.hpp"

namespace telltale::test {

using subject::Enclosure, subject::Exit, subject::ProcessPlan;

[[nodiscard]] std::string actor();  // path of the program of actor.cpp

void write_file(const std::filesystem::path& file, const std::string& text, unsigned mode = 0644);

// Waits for a condition, a minute at most; its last value.
[[nodiscard]] bool eventually(const std::function<bool()>& condition);

[[nodiscard]] bool alive(pid_t pid);  // and no zombie
// Every process on this machine that runs that program, or whose command line names `text`.
[[nodiscard]] std::vector<pid_t> running_with(const std::string& text);

// Starts the actor with these acts, its output in a file, and waits for its end.
struct Ran {
  Exit exit;
  std::string output;
};
[[nodiscard]] Result<Ran> run_actor(Enclosure& enclosure, std::vector<std::string> acts,
                                    const std::function<void(ProcessPlan&)>& change = {});

}  // namespace telltale::test
