#include "catcher/answerer/connection_table.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace telltale::catcher {

namespace {

constexpr std::size_t kDescriptorReserve = 64;  // of the process, for everything else

std::size_t connection_limit(std::size_t most) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 512;
  const auto half = static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1 << 20)) / 2;
  return std::min(most, std::max(half, kDescriptorReserve));
}

}  // namespace

ConnectionTable::ConnectionTable(std::size_t most) : limit_(connection_limit(most)) {}

CaughtConnection& ConnectionTable::add(CaughtConnection connection) {
  const int fd = connection.socket.get();
  return connections_.emplace(fd, std::move(connection)).first->second;
}

CaughtConnection* ConnectionTable::find(int fd) {
  const auto at = connections_.find(fd);
  return at == connections_.end() ? nullptr : &at->second;
}

void ConnectionTable::forget(int fd) {
  const auto at = connections_.find(fd);
  if (at == connections_.end()) return;
  queue_.erase({at->second.due, fd});
  connections_.erase(at);
}

void ConnectionTable::clear() {
  connections_.clear();
  queue_.clear();
}

void ConnectionTable::enter(CaughtConnection& connection, AnswerStage stage,
                            AnswerClock::time_point last) {
  connection.stage = stage;
  connection.last_moment = last;
  schedule(connection, last);
}

void ConnectionTable::schedule(CaughtConnection& connection, AnswerClock::time_point due) {
  const int fd = connection.socket.get();
  queue_.erase({connection.due, fd});
  connection.due = std::min(due, connection.last_moment);
  queue_.insert({connection.due, fd});
}

std::optional<int> ConnectionTable::first() const {
  return first_due(AnswerClock::time_point::max());
}

std::optional<int> ConnectionTable::first_due(AnswerClock::time_point until) const {
  if (queue_.empty() || queue_.begin()->first > until) return {};
  return queue_.begin()->second;
}

int ConnectionTable::wait_time() const {
  if (queue_.empty() || queue_.begin()->first == AnswerClock::time_point::max()) return -1;
  const auto left = queue_.begin()->first - AnswerClock::now();
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<std::int64_t>(whole, 0, 1000));
}

std::vector<int> ConnectionTable::being_read() const {
  std::vector<int> open;
  for (const auto& [fd, connection] : connections_)
    if (connection.stage == AnswerStage::reading) open.push_back(fd);
  return open;
}

}  // namespace telltale::catcher
