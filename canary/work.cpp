#include "canary/work.hpp"

#include <iterator>

namespace telltale::canary {

namespace {
// Enough that the lock is not what the threads wait for, few enough that the last ones share.
constexpr std::size_t kBatch = 16;

bool is_nothing(const Task& task) {
  const auto* entries = std::get_if<std::vector<Entry>>(&task);
  return entries != nullptr && entries->empty();
}
}  // namespace

void Work::run(const std::function<void(Task)>& handle) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !walked_ || !pieces_.empty() || busy_ == 0; });
    if (stopped_()) forget();
    auto task = take();
    if (is_nothing(task)) {
      if (busy_ == 0) break;
      continue;
    }
    ++busy_;
    lock.unlock();
    handle(std::move(task));
    lock.lock();
    if (--busy_ == 0) changed_.notify_all();
  }
  changed_.notify_all();
}

void Work::add(std::vector<Piece> pieces) {
  const std::lock_guard lock(mutex_);
  std::move(pieces.begin(), pieces.end(), std::back_inserter(pieces_));
  changed_.notify_all();
}

void Work::forget() {
  walked_ = true;
  pieces_.clear();
}

Task Work::take() {
  if (!pieces_.empty()) {
    auto piece = std::move(pieces_.front());
    pieces_.pop_front();
    return piece;
  }
  std::vector<Entry> batch;
  while (!walked_ && batch.size() < kBatch) {
    auto entry = walk_.next();
    if (entry)
      batch.push_back(std::move(*entry));
    else
      walked_ = true;
  }
  return batch;
}

}  // namespace telltale::canary
