// Which argument of an interpreter is the file that it will run. Pure; nothing is opened.
#pragma once

#include <string>
#include <vector>

namespace telltale::evidence {

struct InterpretedFile {
  std::string name;  // as given
  std::string role;  // "script" or "jar"
};

// argv[0] is the interpreter under any path; "python3.11" is known as python. Empty: not an
// interpreter that this table knows, or code given inline (`-c`), by module name (`-m`) or on
// standard input. `java -cp a:b Main` gives every entry of the class path.
[[nodiscard]] std::vector<InterpretedFile> interpreted_files(const std::vector<std::string>& argv);

// The command inside `env [-i] [-u NAME] [-S STRING] [NAME=VALUE]... COMMAND`; empty when there is
// none. argv[0] is env itself.
[[nodiscard]] std::vector<std::string> command_of_env(const std::vector<std::string>& argv);

}  // namespace telltale::evidence
