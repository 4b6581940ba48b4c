#include "sweep/registry_server.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

extern char** environ;

namespace telltale::test {

namespace {
std::string first_line(int fd) {
  std::string line;
  for (char c = 0; read(fd, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}
}  // namespace

RegistryServer::RegistryServer(const std::vector<std::string>& rules,
                               const std::filesystem::path& root,
                               const std::filesystem::path& certificate)
    : scheme_(certificate.empty() ? "http://" : "https://") {
  std::vector<std::string> words = {
      "python3", std::string(TELLTALE_FIXTURES) + "/registries/serve.py", "--log", folder_ / "log"};
  if (!root.empty()) words.insert(words.end(), {"--root", root});
  if (!certificate.empty()) words.insert(words.end(), {"--tls", certificate});
  for (const auto& rule : rules) words.insert(words.end(), {"--rule", rule});
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int out[2];
  if (pipe(out) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, out[0]);
  const int error = posix_spawnp(&pid_, "python3", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  const auto line = error == 0 ? first_line(out[0]) : "";
  close(out[0]);
  if (!line.starts_with("port ")) throw std::runtime_error("serve.py did not start");
  port_ = line.substr(5);
}

RegistryServer::~RegistryServer() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::vector<RegistryServer::Received> RegistryServer::log() const {
  std::vector<Received> all;
  std::istringstream lines(read_file(folder_ / "log"));
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    all.push_back({json["method"], json["path"], json["status"], json["headers"]});
  }
  return all;
}

std::vector<std::string> RegistryServer::requests() const {
  std::vector<std::string> all;
  for (const auto& one : log())
    all.push_back(one.method + " " + one.path + " " + std::to_string(one.status));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace telltale::test
