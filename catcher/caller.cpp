#include "catcher/caller.hpp"

#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include "catcher/conversation_stimuli.hpp"
#include "catcher/held_connections.hpp"
#include "catcher/stimuli.hpp"
#include "catcher/tls/tls_request.hpp"

namespace telltale::catcher {

Told failed_with(std::string why) {
  return {false, std::move(why)};
}

Told failed_with_errno() {
  return failed_with(std::strerror(errno));
}

namespace {

constexpr int kDone = 0, kFailed = 1, kUsage = 2;

template <class Number>
bool to_number(const std::string& text, Number& number) {
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end && number >= 0;
}

// A thread's own: the others stay where they are.
Told enter_network() {
  if (setns(STDIN_FILENO, CLONE_NEWNET) != 0) return failed_with_errno();
  return {true, "entered"};
}

// False: `words` name no act.
bool act(const Words& words, const Tell& tell) {
  const auto what = words.empty() ? std::string() : words[0];
  std::uint16_t port = 0;
  int count = 0, milliseconds = 0;
  std::optional<Told> told;
  if (what == "hold" && words.size() == 3 && to_number(words[2], port)) {
    hold_connection(words[1], port, tell);
    return true;
  }
  if (what == "burst" && words.size() == 5 && to_number(words[2], port) &&
      to_number(words[3], count) && to_number(words[4], milliseconds))
    told = burst_connections(words[1], port, count, milliseconds);
  else if (what == "enter-network" && words.size() == 1)
    told = enter_network();
  if (!told) told = stimulate(words);
  if (!told) told = converse(words);
  if (!told) told = request_by_tls(words);
  if (told) tell(*told);
  return told.has_value();
}

int usage() {
  fmt::print(stderr,
             "telltale-caller [round] ACT [-- ACT]: hold ADDRESS PORT | burst ADDRESS PORT N MS | "
             "enter-network | {} | {}\n",
             stimuli_usage(), conversation_usage());
  return kUsage;
}

int run_one(const Words& words) {
  int status = kUsage;
  const bool known = act(words, [&](const Told& told) {
    status = told.done ? kDone : kFailed;
    fmt::print("{}{}\n", told.done ? "" : "failed ", told.text);
    std::fflush(stdout);
  });
  return known ? status : usage();
}

int run_round(const Words& words) {
  std::mutex mutex;  // of stdout and what follows
  int worst = kDone;
  const auto tell = [&](std::size_t number, const Told& told) {
    const std::lock_guard lock(mutex);
    worst = std::max(worst, told.done ? kDone : kFailed);
    fmt::print("{} {} {}\n", number, told.done ? "done" : "failed", told.text);
    std::fflush(stdout);
  };
  std::vector<std::thread> threads;
  for (auto at = words.begin();;) {
    const auto stop = std::find(at, words.end(), "--");
    threads.emplace_back([&tell, number = threads.size(), one = Words(at, stop)] {
      if (!act(one, [&](const Told& told) { tell(number, told); }))
        tell(number, failed_with("no such act"));
    });
    if (stop == words.end()) break;
    at = stop + 1;
  }
  for (auto& thread : threads) thread.join();
  return worst;
}

}  // namespace

int run_caller(int argc, char** argv) {
  const Words words(argv + std::min(argc, 1), argv + argc);
  if (words.size() > 1 && words[0] == "round") return run_round({words.begin() + 1, words.end()});
  return run_one(words);
}

}  // namespace telltale::catcher
