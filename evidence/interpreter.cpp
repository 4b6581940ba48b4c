#include "evidence/interpreter.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace telltale::evidence {

namespace {

struct Interpreter {
  std::string_view names;         // space-separated; a version may follow: python3.11
  std::string_view inline_flags;  // letters after which code or a module name follows, no file
  std::string_view value_flags;   // space-separated options that take the next argument
};

constexpr std::array kInterpreters{
    Interpreter{"python pypy", "cm", "-W -X --check-hash-based-pycs"},
    Interpreter{"node nodejs", "ep",
                "-r --require --import --loader --experimental-loader -C --conditions --title"},
    Interpreter{"sh bash dash ksh zsh ash", "cs", "-o +o -O +O --rcfile --init-file"},
    Interpreter{"perl", "eE", "-I"},
    Interpreter{"ruby", "e", "-I -r -C"},
    Interpreter{"php", "r", "-c -d -z"},
    Interpreter{"lua luajit", "e", "-l"},
};

constexpr std::string_view kJavaValueFlags =
    "-p --module-path --add-modules --upgrade-module-path -d --describe-module";
constexpr std::string_view kClassPathFlags = "-cp -classpath --class-path";

bool lists(std::string_view words, std::string_view word) {
  std::istringstream in{std::string(words)};
  for (std::string each; in >> each;)
    if (each == word) return true;
  return false;
}

// "/usr/bin/python3.11" -> "python"
std::string family(const std::string& path) {
  auto name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find_last_not_of("0123456789.-") + 1);
}

// "-uc" holds c: single-dash letters may be bundled.
bool gives_code(std::string_view argument, std::string_view inline_flags) {
  return argument.size() > 1 && argument[0] == '-' && argument[1] != '-' &&
         argument.find_first_of(inline_flags) != std::string_view::npos;
}

bool is_option(std::string_view argument) {
  return argument.size() > 1 && (argument[0] == '-' || argument[0] == '+');
}

std::vector<InterpretedFile> script(const Interpreter& interpreter,
                                    const std::vector<std::string>& argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const auto& argument = argv[i];
    if (argument == "-") return {};
    if (argument == "--") {
      if (i + 1 < argv.size()) return {{argv[i + 1], "script"}};
      return {};
    }
    if (lists(interpreter.value_flags, argument))
      ++i;
    else if (argument == "--eval" || argument == "--print" ||
             gives_code(argument, interpreter.inline_flags))
      return {};
    else if (!is_option(argument))
      return {{argument, "script"}};
  }
  return {};
}

std::vector<InterpretedFile> class_path(const std::string& text) {
  std::vector<InterpretedFile> files;
  std::istringstream in(text);
  for (std::string entry; std::getline(in, entry, ':');)
    if (entry.ends_with(".jar")) files.push_back({entry, "jar"});
  return files;
}

std::vector<InterpretedFile> java(const std::vector<std::string>& argv) {
  std::vector<InterpretedFile> files;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const bool more = i + 1 < argv.size();
    if (argv[i] == "-jar")  // the class path is ignored then (java(1))
      return more ? std::vector<InterpretedFile>{{argv[i + 1], "jar"}}
                  : std::vector<InterpretedFile>{};
    if (lists(kClassPathFlags, argv[i]) && more)
      files = class_path(argv[++i]);
    else if (argv[i].starts_with("--class-path="))
      files = class_path(argv[i].substr(argv[i].find('=') + 1));
    else if (lists(kJavaValueFlags, argv[i]))
      ++i;
    else if (!is_option(argv[i])) {
      if (argv[i].ends_with(".java")) files.push_back({argv[i], "script"});
      break;
    }
  }
  return files;
}

}  // namespace

std::vector<InterpretedFile> interpreted_files(const std::vector<std::string>& argv) {
  if (argv.empty()) return {};
  const auto name = family(argv.front());
  if (name == "java") return java(argv);
  for (const auto& interpreter : kInterpreters)
    if (lists(interpreter.names, name)) return script(interpreter, argv);
  return {};
}

std::vector<std::string> command_of_env(const std::vector<std::string>& argv) {
  std::vector<std::string> rest(argv.begin() + 1, argv.end());
  while (!rest.empty()) {
    const auto first = rest.front();
    if (first == "-S" || first == "--split-string" || first.starts_with("-S")) {
      auto text = first.starts_with("-S") && first.size() > 2 ? first.substr(2) : std::string{};
      rest.erase(rest.begin());
      if (text.empty() && !rest.empty()) {
        text = rest.front();
        rest.erase(rest.begin());
      }
      std::istringstream in(text);
      std::vector<std::string> words;
      for (std::string word; in >> word;) words.push_back(word);
      rest.insert(rest.begin(), words.begin(), words.end());
    } else if (first == "-u" || first == "-C" || first == "--unset" || first == "--chdir") {
      rest.erase(rest.begin(), rest.begin() + std::min<std::ptrdiff_t>(2, std::ssize(rest)));
    } else if (is_option(first) || first == "-" || first.find('=') != std::string::npos) {
      rest.erase(rest.begin());
    } else {
      break;
    }
  }
  return rest;
}

}  // namespace telltale::evidence
