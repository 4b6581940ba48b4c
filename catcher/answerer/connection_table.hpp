// The open connections, by descriptor and by the time at which each is looked at again.
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catcher/answerer/connection.hpp"

namespace telltale::catcher {

class ConnectionTable {
 public:
  // Half of the descriptors that the process may have, `most` at most.
  explicit ConnectionTable(std::size_t most);

  CaughtConnection& add(CaughtConnection connection);
  [[nodiscard]] CaughtConnection* find(int fd);  // nullptr: it has ended
  void forget(int fd);
  void clear();

  // `stage` ends at `last`, whatever comes.
  void enter(CaughtConnection& connection, AnswerStage stage, AnswerClock::time_point last);
  // Looked at again then, or when its stage is over.
  void schedule(CaughtConnection& connection, AnswerClock::time_point due);

  // The one that has had the most time; with `until`, only one that is due by then.
  [[nodiscard]] std::optional<int> first() const;
  [[nodiscard]] std::optional<int> first_due(AnswerClock::time_point until) const;
  // Milliseconds until the next is due, at most 1000; -1: none ever is.
  [[nodiscard]] int wait_time() const;

  [[nodiscard]] std::vector<int> being_read() const;
  [[nodiscard]] std::size_t size() const { return connections_.size(); }
  [[nodiscard]] bool full() const { return connections_.size() >= limit_; }

 private:
  std::size_t limit_;
  std::unordered_map<int, CaughtConnection> connections_;
  std::set<std::pair<AnswerClock::time_point, int>> queue_;  // by `due`
};

}  // namespace telltale::catcher
