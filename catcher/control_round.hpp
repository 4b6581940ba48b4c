// One round of controls: one caller (control_caller.hpp), started like the subject, that does at
// the same time all that the observers must see.
//
// Theory of operation. Every observer adds its acts, each with a nonce of its own (Observer::ask);
// run() has the caller do them, each on a thread of its own, and hears of each what became of it;
// then every observer is asked whether it saw (Observer::check), and waits for what is on its way.
// The caller is there until the round is over, so its sockets can still be looked up. What it said
// is its own account: an act that it could not do, or said nothing of, proves nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catcher/control_caller.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

// One of each sort to addresses that nobody else can have chosen: for the observers that look at
// the network. Only in a world without a way out: the addresses are real ones on a real network.
struct Stimulus {
  std::string protocol;  // "tcp", "udp", "icmp"
  std::string host;      // numeric, documentation addresses (RFC 5737, RFC 3849)
  std::uint16_t port = 0;
  std::uint16_t client_port = 0;           // the caller's; 0: icmp
  [[nodiscard]] std::string text() const;  // "udp to [2001:db8::1]:40000"
};

class ControlRound {
 public:
  // What the caller said of an act (caller.hpp).
  struct Said {
    bool heard = false;  // false: nothing; `text` says why
    bool done = false;
    std::string text;
  };
  using Act = std::size_t;

  explicit ControlRound(ControlCaller& caller) : caller_(caller) {}
  ControlRound(const ControlRound&) = delete;
  ControlRound& operator=(const ControlRound&) = delete;
  ~ControlRound();  // the caller ends by itself, or is ended after a second

  // --- what is to be done; before run()

  Act add(subject::Argv act);
  // TCP, UDP and ICMP over IPv4 and IPv6, however many observers need them.
  void add_stimuli();
  // Standard input of the caller; one act has it.
  void give(subject::FileDescriptor input) { input_ = std::move(input); }
  // Where an act goes (Scene::add_control).
  void expect_at(const std::string& host, std::uint16_t port) { caller_.expect_at(host, port); }

  // Has them done, and waits for what the caller says of each, ten seconds at most.
  void run();

  // --- what became of it; after run()

  [[nodiscard]] const Said& said(Act act) const { return acts_.at(act).said; }
  [[nodiscard]] pid_t caller() const;  // 0: it did not start
  // When the last of them was heard of.
  [[nodiscard]] std::chrono::steady_clock::time_point ended() const { return ended_; }
  [[nodiscard]] const std::vector<Stimulus>& stimuli() const { return stimuli_; }
  // "the caller's udp to ... did not happen: why"; empty: they all did.
  [[nodiscard]] std::string stimuli_failure() const;

 private:
  struct Asked {
    subject::Argv words;
    Said said;
  };

  void hear(int output);
  void hear_line(const std::string& line);
  void note_client_ports();

  ControlCaller& caller_;
  subject::FileDescriptor input_;
  std::vector<Asked> acts_;
  std::size_t silent_ = 0;  // acts of which nothing was heard
  std::vector<Stimulus> stimuli_;
  Act first_stimulus_ = 0;
  std::unique_ptr<subject::Process> process_;
  std::chrono::steady_clock::time_point ended_;
};

}  // namespace telltale::catcher
