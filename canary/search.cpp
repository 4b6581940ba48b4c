#include "canary/search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

#include "canary/examiner.hpp"
#include "canary/mint.hpp"
#include "canary/plant.hpp"
#include "canary/walk.hpp"
#include "canary/work.hpp"

namespace telltale::canary {

namespace {

unsigned thread_count(const SearchPlan& plan) {
  return plan.threads != 0 ? plan.threads : std::max(2U, std::thread::hardware_concurrency());
}

// One pass over some roots, by all threads.
class Pass {
 public:
  Pass(const SearchPlan& plan, const Matcher& matcher, std::vector<std::string> roots)
      : walk_(std::move(roots)),
        work_(walk_, [this] { return stopped(); }),
        scene_{matcher, plan.limits, [this] { return stopped(); }, work_, links_, plan.shown},
        interrupted_by_(plan.interrupted_by) {}

  SearchResult run(unsigned threads) {
    std::vector<std::thread> team;
    for (unsigned i = 0; i < threads; ++i) team.emplace_back([this] { serve(); });
    for (auto& thread : team) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    const auto& unseen = walk_.unseen();
    result_.unseen.insert(result_.unseen.end(), unseen.begin(), unseen.end());
    return std::move(result_);
  }

 private:
  bool stopped() const { return failed_ || interrupted_by_() != 0; }

  void serve() {
    Examiner examiner(scene_);
    work_.run([&](Task task) {
      try {
        examiner.handle(std::move(task));
      } catch (...) {
        if (!failed_.exchange(true)) failure_ = std::current_exception();
      }
    });
    const std::lock_guard lock(mutex_);
    result_.merge(examiner.take());
  }

  Walk walk_;
  Work work_;
  HardLinks links_;
  Scene scene_;
  const std::function<int()>& interrupted_by_;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
  std::mutex mutex_;
  SearchResult result_;
};

struct Root {
  std::string given;
  std::string real;  // absolute, links resolved
};

bool holds(const std::string& folder, const std::string& path) {
  if (folder == "/") return true;
  return path.compare(0, folder.size(), folder) == 0 &&
         (path.size() == folder.size() || path[folder.size()] == '/');
}

Result<Root> resolve(const std::string& given) {
  char* real = realpath(given.c_str(), nullptr);
  if (real == nullptr)
    return fail(Fault::input, fmt::format("{} cannot be searched: {}", given, std::strerror(errno)),
                "name a folder or a file that exists");
  Root root{given, real};
  std::free(real);
  return root;
}

// Without those that lie in another one: each file is searched once.
Result<std::vector<std::string>> outermost(const std::vector<std::string>& given) {
  std::vector<Root> roots;
  for (const auto& path : given) {
    auto root = resolve(path);
    if (!root) return pass_on(root.error());
    roots.push_back(std::move(*root));
  }
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    bool inside = false;
    for (std::size_t j = 0; j < roots.size(); ++j)
      inside = inside || (i != j && holds(roots[j].real, roots[i].real) &&
                          (roots[i].real != roots[j].real || j < i));
    if (!inside) kept.push_back(roots[i].given);
  }
  return kept;
}

void add_controls(const SearchPlan& plan, const Matcher& matcher, const std::string& nonce,
                  SearchResult& result) {
  result.controls.push_back(check_patterns(matcher, plan.patterns));
  const auto plant = Plant::make(nonce);
  if (!plant) {
    for (const auto& name : required_controls())
      if (name != result.controls.front().name)
        result.controls.push_back({name, kObserver, evidence::Polarity::positive, "a nonce found",
                                   plant.error().what, false});
    return;
  }
  const auto seen = Pass(plan, matcher, {plant->folder()}).run(thread_count(plan));
  auto controls = plant->check(seen.hits, plan.patterns.size());
  std::move(controls.begin(), controls.end(), std::back_inserter(result.controls));
}

void sort(SearchResult& result) {
  std::sort(result.hits.begin(), result.hits.end());
  std::stable_sort(result.unseen.begin(), result.unseen.end(),
                   [](const Unseen& a, const Unseen& b) { return a.path < b.path; });
}

}  // namespace

Result<SearchResult> search(const SearchPlan& plan) {
  if (plan.patterns.empty())
    return fail(Fault::input, "there is no value to search for", "give at least one");
  if (plan.roots.empty())
    return fail(Fault::input, "there is no folder to search", "name at least one");
  auto roots = outermost(plan.roots);
  if (!roots) return pass_on(roots.error());

  const auto nonce = mint_canary();
  std::vector<std::string> literals;
  for (const auto& pattern : plan.patterns) literals.push_back(pattern.bytes);
  literals.push_back(nonce);
  const auto matcher = plan.matcher(std::move(literals));

  SearchResult result;
  add_controls(plan, *matcher, nonce, result);
  result.merge(Pass(plan, *matcher, *roots).run(thread_count(plan)));
  std::erase_if(result.hits, [&](const Hit& hit) { return hit.pattern == plan.patterns.size(); });
  result.roots = std::move(*roots);
  result.patterns = plan.patterns;
  result.interrupted_by = plan.interrupted_by();
  result.ended = evidence::now();
  sort(result);
  return result;
}

}  // namespace telltale::canary
