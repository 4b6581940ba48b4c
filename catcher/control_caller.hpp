// Runs the control caller: a small program of ours, started like the subject (same enclosure,
// environment and user), that does what an observer must see. See caller.hpp for what it can do.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "catcher/scene.hpp"
#include "evidence/result.hpp"
#include "subject/enclosure.hpp"

namespace telltale::catcher {

// What the caller said: its own account of the stimulus, checked before the observer is asked.
struct CallerReport {
  subject::Exit exit;
  std::string output;  // at most 64 KiB
};

class ControlCaller {
 public:
  // `program` is executable by `user`; `environment` is the subject's whole environment.
  ControlCaller(subject::Enclosure& enclosure, Scene& scene, std::filesystem::path program,
                subject::Pairs environment, std::string user);

  // Starts it with these arguments and waits, at most 10 s. `input` is its standard input.
  [[nodiscard]] Result<CallerReport> run(const subject::Argv& arguments,
                                         subject::FileDescriptor input = {});
  // Starts it; the caller lives until the process is destroyed. Its stdout is readable at `output`.
  struct Started {
    std::unique_ptr<subject::Process> process;
    subject::FileDescriptor output;
  };
  [[nodiscard]] Result<Started> start(const subject::Argv& arguments,
                                      subject::FileDescriptor input = {});

  // From now on it is started as this user, of another root's users; nullopt: as the tool.
  void become(std::optional<subject::Identity> identity) { identity_ = std::move(identity); }

  // Where a control is about to go (Scene::add_control).
  void expect_at(const std::string& host, std::uint16_t port) { scene_.add_control(host, port); }

  [[nodiscard]] subject::Enclosure& enclosure() { return enclosure_; }

 private:
  subject::Enclosure& enclosure_;
  Scene& scene_;
  std::filesystem::path program_;
  subject::Pairs environment_;
  std::string user_;
  std::optional<subject::Identity> identity_;
};

// The program beside the running tool, or in ../libexec/telltale. Fault::instrument when there is
// none.
[[nodiscard]] Result<std::filesystem::path> find_caller();

}  // namespace telltale::catcher
