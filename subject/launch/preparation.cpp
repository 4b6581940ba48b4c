#include "subject/launch/preparation.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

#include "subject/launch/free_ports.hpp"
#include "subject/launch/given.hpp"

namespace telltale::subject {

namespace {

namespace fs = std::filesystem;

Result<std::string> mint_key() {
  std::array<unsigned char, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return fail(Fault::instrument, "the kernel gave no random bytes for a key");
  std::string key;
  for (const unsigned char byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

// A variant that the command does not use would silently be the plain subject again.
Result<> check_variant(const Given& given, const LaunchOptions& options) {
  if (options.binary.empty()) return {};
  const bool used = std::any_of(given.command.begin(), given.command.end(), [](const auto& word) {
    const auto names = names_in(word);
    return std::find(names.begin(), names.end(), "binary") != names.end();
  });
  if (used) return {};
  return fail(Fault::input,
              fmt::format("{} would not be started: the command does not use ${{binary}}",
                          options.binary.string()),
              "begin subject.command with \"${binary}\"");
}

bool has_own_home(const Specification& specification) {
  return specification.home == Home::overlay;
}

Result<> check_home(const Specification& specification, const Enclosure& enclosure) {
  if (!has_own_home(specification) || enclosure.copies_on_write()) return {};
  return fail(Fault::instrument,
              "home: overlay needs the sealed world, which only the egress lane has, without "
              "--plain",
              "write home: fresh, and what the subject needs of yours into files:");
}

Result<> set_variables(const Specification& specification, Enclosure& enclosure,
                       const LaunchOptions& options, Preparation& made) {
  auto ports = free_ports(enclosure, specification.ports.size());
  if (!ports) return pass_on(std::move(ports.error()));
  auto key = options.key.empty() ? mint_key() : options.key;
  if (!key) return pass_on(std::move(key.error()));
  auto& variables = made.variables;
  for (std::size_t index = 0; index < ports->size(); ++index)
    variables.set("port." + specification.ports[index], std::to_string((*ports)[index]));
  for (std::size_t index = 0; index < options.canaries.size(); ++index)
    variables.set("canary." + std::to_string(index + 1), options.canaries[index]);
  variables.set("work", made.folders.work.string());
  variables.set("data", made.folders.data.string());
  variables.set("home", made.folders.home.string());
  variables.set("tmp", made.folders.tmp.string());
  variables.set("key", *key);
  if (!specification.source.empty()) variables.set("source", specification.source.string());
  const fs::path& binary = options.binary.empty() ? specification.binary : options.binary;
  if (!binary.empty()) variables.set("binary", fs::absolute(binary).string());
  for (const auto& [name, value] : options.variables) variables.set(name, value);
  return {};
}

Result<Pairs> expanded(const Pairs& written, const Variables& variables) {
  Pairs pairs;
  for (const auto& [name, text] : written) {
    auto value = variables.expand(text);
    if (!value) return pass_on(std::move(value.error()));
    pairs.emplace_back(name, std::move(*value));
  }
  return pairs;
}

Result<> set_command(const Specification& specification, const Given& given,
                     const LaunchOptions& options, Preparation& made) {
  // The words after `--` are the user's own, not a text of subject.yaml.
  auto command =
      options.foreground ? Result<Argv>(given.command) : made.variables.expand(given.command);
  if (!command) return pass_on(std::move(command.error()));
  made.command = std::move(*command);
  if (options.foreground || made.command.empty()) return {};
  // A relative name with a slash starts at the file that it was written in, not at the work folder.
  auto& program = made.command.front();
  if (program.find('/') != std::string::npos && !fs::path(program).is_absolute())
    program = (specification.folder / program).lexically_normal().string();
  return {};
}

// As a person's is called; a tool in CI has none, or a "dumb" one.
void name_terminal(GivenEnvironment& environment) {
  const auto* name = find_variable(environment.variables, "TERM");
  if (name == nullptr || name->empty() || *name == "dumb")
    environment.set("TERM", "xterm-256color");
}

Result<> set_environment(const Given& given, const LaunchOptions& options, Preparation& made) {
  const Pairs tool = tool_environment();
  made.environment = options.place        ? options.place->environment
                     : options.foreground ? own_environment(tool)
                                          : minimal_environment(tool, made.user, made.folders.home,
                                                                made.folders.tmp);
  for (const auto& name : options.without) made.environment.take_away(name);
  auto own = expanded(given.env, made.variables);
  if (!own) return pass_on(std::move(own.error()));
  for (const auto& pairs : {*own, options.extra_environment})
    for (const auto& [name, value] : pairs) made.environment.set(name, value);
  if (options.terminal) name_terminal(made.environment);
  return {};
}

Result<> set_secrets(const Given& given, Preparation& made) {
  auto secrets = expanded(given.secrets, made.variables);
  if (!secrets) return pass_on(std::move(secrets.error()));
  made.secrets = std::move(*secrets);
  made.secrets.emplace_back("key", *made.variables.find("key"));
  for (const auto& [name, value] : made.secrets)
    if (auto added = made.masker.add(name, value); !added) return added;
  return {};
}

Result<> write_given_files(const Given& given, const Preparation& made) {
  auto files = expanded(given.files, made.variables);
  if (!files) return pass_on(std::move(files.error()));
  return write_files(made.folders.work, *files, made.user);
}

}  // namespace

Result<Preparation> prepare_launch(const Specification& specification, Enclosure& enclosure,
                                   const fs::path& scratch, const LaunchOptions& options) {
  const Given given = given_to(specification, options.difference);
  Preparation made;
  if (auto fine = check_variant(given, options); !fine) return pass_on(fine.error());
  if (auto fine = check_home(specification, enclosure); !fine) return pass_on(fine.error());
  auto user = find_identity(specification.user);
  if (!user) return pass_on(std::move(user.error()));
  made.user = std::move(*user);
  const bool own_home = has_own_home(specification);
  auto folders =
      make_folders(scratch, options.name, own_home ? fs::path() : options.home, made.user);
  if (!folders) return pass_on(std::move(folders.error()));
  made.folders = std::move(*folders);
  if (own_home) made.folders.home = own_home_of(specification.user);
  made.working_folder = options.place        ? options.place->folder
                        : options.foreground ? fs::current_path()
                                             : made.folders.work;
  if (auto set = set_variables(specification, enclosure, options, made); !set)
    return pass_on(set.error());
  if (auto set = set_command(specification, given, options, made); !set)
    return pass_on(set.error());
  if (auto set = set_environment(given, options, made); !set) return pass_on(set.error());
  if (auto set = set_secrets(given, made); !set) return pass_on(set.error());
  if (auto written = write_given_files(given, made); !written) return pass_on(written.error());
  return made;
}

}  // namespace telltale::subject
