// A launch without a subject: what a test says it is.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "subject/launch.hpp"

namespace telltale::test {

class FakeLaunch final : public subject::Launch {
 public:
  subject::Variables values;
  subject::Argv given_command;
  subject::Pairs given_environment;
  std::vector<std::string> none;
  std::filesystem::path work_folder;
  std::string run_as;
  bool alive = true;
  int interrupt = -1;
  std::vector<subject::ListeningSocket> listening;
  std::function<Result<>(const subject::Peer&)> whose;  // answered(); empty: the subject's

  [[nodiscard]] Result<> start() override { return {}; }
  subject::StopReport stop() override { return {}; }
  [[nodiscard]] subject::Variables& variables() override { return values; }
  [[nodiscard]] const subject::Argv& command() const override { return given_command; }
  [[nodiscard]] const subject::Pairs& environment() const override { return given_environment; }
  [[nodiscard]] const std::vector<std::string>& inherited() const override { return none; }
  [[nodiscard]] const std::vector<std::string>& removed_variables() const override { return none; }
  [[nodiscard]] const std::vector<std::string>& opt_outs() const override { return none; }
  [[nodiscard]] subject::Pairs secrets() const override { return {}; }
  [[nodiscard]] const std::filesystem::path& work() const override { return work_folder; }
  [[nodiscard]] const std::filesystem::path& data() const override { return work_folder; }
  [[nodiscard]] const std::filesystem::path& home() const override { return work_folder; }
  [[nodiscard]] const std::filesystem::path& tmp() const override { return work_folder; }
  [[nodiscard]] const std::filesystem::path& log() const override { return work_folder; }
  [[nodiscard]] const std::filesystem::path& folder() const override { return work_folder; }
  [[nodiscard]] const std::string& user() const override { return run_as; }
  [[nodiscard]] int interrupt_fd() const override { return interrupt; }
  [[nodiscard]] pid_t pid() const override { return 1; }
  [[nodiscard]] bool running() override { return alive; }
  [[nodiscard]] Error ended_error() override {
    return {Fault::subject, "the subject ended with exit status 1", {}};
  }
  [[nodiscard]] double boot_ms() const override { return 0; }
  [[nodiscard]] std::vector<pid_t> tree() const override { return {}; }
  [[nodiscard]] std::vector<subject::ListeningSocket> listeners() const override {
    return listening;
  }
  [[nodiscard]] Result<> answered(const subject::Peer& peer) const override {
    return whose ? whose(peer) : Result<>();
  }
  [[nodiscard]] std::string last_output(std::size_t) const override { return {}; }
  void on_output(std::function<void(std::string_view)>) override {}
};

}  // namespace telltale::test
