#include "catcher/landlock/enclosure.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "catcher/landlock/ruleset.hpp"
#include "subject/process/start_process.hpp"

namespace telltale::catcher {

namespace {

class LandlockThreshold final : public subject::Threshold {
 public:
  LandlockThreshold(int ruleset, StartHook* hook) : ruleset_(ruleset), hook_(hook) {}
  [[nodiscard]] int cross() const override { return 0; }
  [[nodiscard]] int leave() const override {
    if (const int error = restrict_to(ruleset_); error != 0) return error;
    return hook_ != nullptr ? hook_->in_child() : 0;
  }

 private:
  int ruleset_;
  StartHook* hook_;
};

class LandlockBirth final : public subject::Birth {
 public:
  LandlockBirth(int ruleset, StartHook* hook) : threshold_(ruleset, hook), hook_(hook) {}
  [[nodiscard]] pid_t fork(const subject::Child& child, std::string& error) override {
    const pid_t pid = ::fork();
    if (pid == 0) child.run(&threshold_);
    if (pid < 0) error = strerror(errno);
    return pid;
  }
  void forked(pid_t pid) override {
    if (hook_ != nullptr) hook_->in_tool(pid);
  }

 private:
  LandlockThreshold threshold_;
  StartHook* hook_;
};

class Confined final : public LandlockEnclosure {
 public:
  Confined(Broker& broker, subject::FileDescriptor ruleset)
      : broker_(broker), ruleset_(std::move(ruleset)), plain_(subject::make_plain_enclosure()) {}

  [[nodiscard]] std::string_view name() const override { return "landlock"; }
  [[nodiscard]] evidence::Assurance assurance() const override;
  void set_hooks(StartHooks hooks) override { hooks_ = std::move(hooks); }

  [[nodiscard]] Result<std::unique_ptr<subject::Process>> start(subject::ProcessPlan plan) override;
  [[nodiscard]] Result<subject::FileDescriptor> socket(int domain, int type) override {
    return plain_->socket(domain, type);
  }
  [[nodiscard]] Result<subject::Listener> listen(std::uint16_t port) override {
    auto listener = plain_->listen(port);
    if (listener) broker_.add_listener({listener->address, listener->port});
    return listener;
  }

 private:
  Broker& broker_;
  subject::FileDescriptor ruleset_;
  std::unique_ptr<subject::Enclosure> plain_;
  StartHooks hooks_;
};

evidence::Assurance Confined::assurance() const {
  return {
      true,
      {"what is no TCP is refused by a reader of system calls, not by the kernel: a thread that "
       "changes an address after it was read (UDP, a socket with a path, MPTCP) gets out unseen",
       "packets: there is no capture and no count of them to compare with",
       "names asked for by UDP without connecting first, but for the resolver's address",
       "32-bit programs, but for their TCP",
       "sockets passed in already connected, by another program of this machine",
       "daemons of this machine that act on files (cron, a mailbox), shared memory",
       "what a process does that outlives the tool, killed by SIGKILL; its TCP stays refused"}};
}

Result<std::unique_ptr<subject::Process>> Confined::start(subject::ProcessPlan plan) {
  std::unique_ptr<StartHook> hook;
  if (hooks_) {
    auto made = hooks_();
    if (!made) return pass_on(std::move(made.error()));
    hook = std::move(*made);
  }
  LandlockBirth birth(ruleset_.get(), hook.get());
  return subject::start_process(std::move(plan), birth);
}

}  // namespace

Result<std::unique_ptr<LandlockEnclosure>> make_landlock_enclosure(Broker& broker) {
  auto ruleset = make_ruleset();
  if (!ruleset) return pass_on(std::move(ruleset.error()));
  return std::make_unique<Confined>(broker, std::move(*ruleset));
}

}  // namespace telltale::catcher
