// Hands out what there is to do to the threads of one search: entries of the tree in small batches,
// and pieces of large files before anything else.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "canary/extents.hpp"
#include "canary/walk.hpp"

namespace telltale::canary {

class OpenedFile;

struct Piece {
  std::shared_ptr<OpenedFile> file;
  Range range;
};

using Task = std::variant<std::vector<Entry>, Piece>;

class Work {
 public:
  // `stopped` ends the handing out early.
  Work(Walk& walk, std::function<bool()> stopped) : walk_(walk), stopped_(std::move(stopped)) {}

  // Called by each thread: handles tasks until none is left and no other thread can make one.
  // `handle` must not throw: the other threads would wait for this one.
  void run(const std::function<void(Task)>& handle);
  // By a task that found a large file.
  void add(std::vector<Piece> pieces);

 private:
  // The next task; an empty batch when there is none now.
  [[nodiscard]] Task take();
  void forget();

  Walk& walk_;
  std::function<bool()> stopped_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> pieces_;
  std::size_t busy_ = 0;  // threads inside `handle`
  bool walked_ = false;
};

}  // namespace telltale::canary
