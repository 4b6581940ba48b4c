// Searches what the subject prints, all of it, while it prints: the log keeps only so much.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "canary/matcher.hpp"
#include "canary/pattern.hpp"
#include "canary/stream.hpp"

namespace telltale::canary {

struct OutputHit {
  std::size_t pattern = 0;  // index into the patterns
  std::uint64_t first = 0;  // byte offset in the output
  std::uint64_t count = 0;
};

class OutputWatch {
 public:
  explicit OutputWatch(const std::vector<Pattern>& patterns);

  // Called from the thread that reads the output.
  void feed(std::string_view piece);
  [[nodiscard]] std::vector<OutputHit> hits() const;  // by pattern
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<Matcher> matcher_;
  Stream stream_;
  std::vector<StreamMatch> found_;
  std::map<std::size_t, OutputHit> by_pattern_;
};

}  // namespace telltale::canary
