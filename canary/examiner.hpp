// What one thread of a search does with each entry of the tree, and what it saw.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "canary/attributes.hpp"
#include "canary/matcher.hpp"
#include "canary/opened_file.hpp"
#include "canary/scanner.hpp"
#include "canary/search_result.hpp"
#include "canary/unpack/descent.hpp"
#include "canary/work.hpp"

namespace telltale::canary {

// Files with more than one name, by device and inode, so that each is read once.
class HardLinks {
 public:
  // False when it was seen before.
  [[nodiscard]] bool is_new(dev_t device, ino_t inode);

 private:
  std::mutex mutex_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

// What the threads of one search share. Outlives them.
struct Scene {
  const Matcher& matcher;
  const UnpackLimits& limits;
  std::function<bool()> stopped;
  Work& work;
  HardLinks& links;
  const std::function<std::string(const std::string&)>& shown;  // SearchPlan::shown
};

class Examiner {
 public:
  explicit Examiner(Scene& scene) : scene_(scene), scanner_(scene.matcher, scene.stopped) {}

  void handle(Task task);
  [[nodiscard]] SearchResult take() { return std::move(seen_); }

 private:
  void examine(const Entry& entry);
  void examine_file(const Entry& entry);
  void examine_link(const Entry& entry);
  void examine_name(const Entry& entry);
  void examine_attributes(const Entry& entry, int fd);
  void search_text(const Entry& entry, Place place, const std::string& inside,
                   std::string_view bytes);
  void scan(OpenedFile& file, Range range);
  void finish(const OpenedFile& file);
  void report(const Entry& entry, std::string why);

  Scene& scene_;
  Scanner scanner_;
  AttributeReader attributes_;
  std::vector<Match> matches_;
  std::string joined_;
  SearchResult seen_;
};

}  // namespace telltale::canary
