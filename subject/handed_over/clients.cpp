#include "subject/handed_over/clients.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::subject {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string_view>;

enum class ClientKind { container, unit, unit_reversed, job, machine };

struct Client {
  std::string_view program;
  std::string_view asks;
  ClientKind kind;
  Words verbs;           // that have something started; empty: every call does
  Words groups{};        // words that may stand before a verb: "docker compose up"
  Words valued{};        // options that take the next word
  Words needs_option{};  // it asks a daemon only with one of these before the verb
  Words not_with{};      // it does not with one of these there
};

const Words kContainerVerbs = {"run", "start", "restart", "exec", "create", "build", "up"};
const Words kContainerGroups = {"compose", "container", "buildx", "service", "stack", "image"};
const Words kContainerValued = {"-H",         "--host",       "-c",         "--context",
                                "--config",   "-l",           "-f",         "--log-level",
                                "--file",     "-p",           "-n",         "--project-name",
                                "--env-file", "--profile",    "-a",         "--project-directory",
                                "--url",      "--connection", "--namespace"};

const Client kClients[] = {
    {"docker", "the Docker daemon", ClientKind::container, kContainerVerbs, kContainerGroups,
     kContainerValued},
    {"docker-compose",
     "the Docker daemon",
     ClientKind::container,
     kContainerVerbs,
     {},
     kContainerValued},
    {"nerdctl", "containerd", ClientKind::container, kContainerVerbs, kContainerGroups,
     kContainerValued},
    {"ctr",
     "containerd",
     ClientKind::container,
     {"run", "start", "exec"},
     {"task", "tasks", "t"},
     kContainerValued},
    {"podman",
     "another machine's podman",
     ClientKind::container,
     kContainerVerbs,
     kContainerGroups,
     kContainerValued,
     {"--remote", "-r", "--remote=true", "--url", "--connection"}},
    {"podman-remote", "another machine's podman", ClientKind::container, kContainerVerbs,
     kContainerGroups, kContainerValued},
    {"lxc", "the LXD daemon", ClientKind::machine, {"launch", "start", "exec", "restart"}},
    {"incus", "the Incus daemon", ClientKind::machine, {"launch", "start", "exec", "restart"}},
    {"virsh", "the libvirt daemon", ClientKind::machine, {"start", "create", "reboot"}, {}, {"-c"}},
    {"machinectl", "systemd", ClientKind::machine, {"start", "shell", "login"}, {}, {"-M", "-H"}},
    {"systemctl",
     "systemd",
     ClientKind::unit,
     {"start", "restart", "reload", "try-restart", "reload-or-restart", "isolate"},
     {},
     {"-H", "--host", "-M", "--machine", "-t", "--type", "-p", "--property", "--root"}},
    {"service", "systemd", ClientKind::unit_reversed, {"start", "restart", "reload"}},
    {"systemd-run", "systemd", ClientKind::job, {}, {}, {}, {}, {"--scope"}},
    {"at",
     "the at daemon",
     ClientKind::job,
     {},
     {},
     {"-q", "-f", "-t"},
     {},
     {"-l", "-d", "-r", "-c"}},
    {"batch", "the at daemon", ClientKind::job, {}},
};

// What only starts what follows it.
const Words kWrappers = {"sudo", "doas", "env", "nohup", "setsid", "nice", "time"};

bool among(const Words& words, std::string_view word) {
  return !word.empty() && std::find(words.begin(), words.end(), word) != words.end();
}

std::string base_name(const std::string& program) {
  return fs::path(program).filename().string();
}

bool is_assignment(const std::string& word) {
  const auto equals = word.find('=');
  return equals != std::string::npos && equals > 0 && word.find('/') > equals;
}

// Behind the wrappers; one with an option of its own is not looked behind.
Argv unwrapped(const Argv& command) {
  auto at = command.begin();
  while (at != command.end() && among(kWrappers, base_name(*at))) {
    ++at;
    while (at != command.end() && is_assignment(*at)) ++at;
  }
  return {at, command.end()};
}

// Options apart from the other words; what an option takes is neither.
struct Parted {
  Words options, operands;
  Words leading;  // the options before the first operand
};

Parted part(const Argv& command, const Client& client) {
  Parted parted;
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string_view word = command[i];
    if (!word.starts_with('-')) {
      parted.operands.push_back(word);
      continue;
    }
    parted.options.push_back(word);
    if (parted.operands.empty()) parted.leading.push_back(word);
    if (among(client.valued, word)) ++i;
  }
  return parted;
}

bool starts_something(const Client& client, const Parted& parted) {
  const auto any_among = [](const Words& said, const Words& options) {
    return std::any_of(said.begin(), said.end(),
                       [&](auto option) { return among(options, option); });
  };
  if (any_among(parted.options, {"--help", "-h", "--version"})) return false;
  if (any_among(parted.leading, client.not_with)) return false;
  if (!client.needs_option.empty() && !any_among(parted.leading, client.needs_option)) return false;
  if (client.verbs.empty()) return true;
  const auto& operands = parted.operands;
  std::size_t at = client.kind == ClientKind::unit_reversed ? 1 : 0;
  if (at < operands.size() && among(client.groups, operands[at])) ++at;
  return at < operands.size() && among(client.verbs, operands[at]);
}

// The package podman-docker installs a "docker" that is podman, which asks nobody.
bool is_podman(const std::string& program) {
  const fs::path path = program.find('/') == std::string::npos ? "/usr/bin/" + program : program;
  std::error_code error;
  if (fs::canonical(path, error).filename() == "podman") return true;
  std::ifstream in(path, std::ios::binary);
  std::string start(512, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.starts_with("#!") && start.find("podman") != std::string::npos;
}

std::string run_instead(const UnitCommand& unit) {
  std::string user;
  if (!unit.user.empty()) user = fmt::format(", as user {}", unit.user);
  return fmt::format("egress -- {} (ExecStart= of {}{})", unit.commands.front(), unit.file.string(),
                     user);
}

std::string unit_instead(const std::string& unit, const UnitFolders& folders) {
  if (const auto command = unit_command(unit, folders))
    return "run what the unit runs: " + run_instead(*command);
  return fmt::format(
      "run what the unit runs: egress -- and the command of ExecStart= (systemctl cat {})", unit);
}

std::string instead(const Client& client, const Parted& parted, const ClientSurroundings& around) {
  switch (client.kind) {
    case ClientKind::container:
      return "run the program itself: egress -- COMMAND; or write the image to a file (docker "
             "save, podman save, skopeo copy) and run that: egress --oci FILE";
    case ClientKind::machine:
      return "run the tool inside that machine: egress -- COMMAND";
    case ClientKind::job:
      return "run the command itself: egress -- COMMAND";
    case ClientKind::unit:
    case ClientKind::unit_reversed: {
      const std::size_t at = client.kind == ClientKind::unit ? 1 : 0;
      const bool of_user = among(parted.options, "--user");
      const std::string unit(at < parted.operands.size() ? parted.operands[at] : "UNIT");
      return unit_instead(unit, of_user ? around.user_units : around.system_units);
    }
  }
  return {};
}

std::string joined(const Argv& words, std::size_t count) {
  return fmt::format(
      "{}",
      fmt::join(words.begin(),
                words.begin() + static_cast<std::ptrdiff_t>(std::min(count, words.size())), " "));
}

Argv command_line_of_process(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/cmdline", pid), std::ios::binary);
  Argv words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

// The last part of its control group that is a service: "0::/system.slice/nginx.service".
std::string service_of_process(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/cgroup", pid));
  std::string service;
  for (std::string line; std::getline(in, line);)
    for (const auto& part : fs::path(line.substr(std::min(line.size(), line.find('/')))))
      if (part.extension() == ".service") service = part.string();
  return service;
}

}  // namespace

std::optional<Error> asks_a_daemon(const Argv& whole, const ClientSurroundings& around) {
  const auto command = unwrapped(whole);
  if (command.empty()) return std::nullopt;
  const auto name = base_name(command.front());
  for (const auto& client : kClients) {
    if (client.program != name) continue;
    const auto parted = part(command, client);
    if (!starts_something(client, parted)) return std::nullopt;
    if (client.kind == ClientKind::unit_reversed && !around.systemd_runs) return std::nullopt;
    if (name == "docker" && is_podman(command.front())) return std::nullopt;
    return Error{Fault::instrument,
                 fmt::format("\"{}\" only asks {}: that runs outside, and nothing that it does "
                             "would be seen",
                             joined(command, 4), client.asks),
                 instead(client, parted, around)};
  }
  return std::nullopt;
}

Error runs_already(pid_t pid, const ClientSurroundings& around) {
  const auto command = command_line_of_process(pid);
  if (command.empty())
    return {Fault::input, fmt::format("there is no process {} with a program", pid),
            "egress starts a program anew: egress -- COMMAND [ARG...]"};
  const auto service = service_of_process(pid);
  const auto unit = service.empty() ? std::nullopt : unit_command(service, around.system_units);
  return {Fault::instrument,
          fmt::format("process {} ({}) runs already, outside: it cannot be put into a world that "
                      "nothing leaves, and what it has done so far was not seen",
                      pid, joined(command, command.size())),
          unit ? "stop it and start it anew: " + run_instead(*unit)
               : "stop it and start it anew: egress -- " + joined(command, command.size())};
}

}  // namespace telltale::subject
