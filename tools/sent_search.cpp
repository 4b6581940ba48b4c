#include "tools/sent_search.hpp"

#include <algorithm>
#include <utility>

#include "canary/matcher.hpp"
#include "canary/pattern.hpp"

namespace telltale::tools {

namespace {

class PatternSearch final : public catcher::SentSearch {
 public:
  explicit PatternSearch(const std::vector<catcher::SentValue>& values) {
    std::vector<std::string> literals;
    for (std::size_t index = 0; index < values.size(); ++index) add(index, values[index], literals);
    if (!literals.empty()) matcher_ = canary::make_gram_matcher(std::move(literals));
  }

  [[nodiscard]] std::vector<catcher::SentMatch> find(std::string_view bytes) const override {
    std::vector<canary::Match> found;
    if (matcher_ != nullptr) matcher_->find(bytes, found);
    std::vector<catcher::SentMatch> matches;
    for (const auto& match : found) matches.push_back(forms_[match.literal]);
    return matches;
  }
  [[nodiscard]] std::size_t longest() const override {
    return matcher_ == nullptr ? 1 : matcher_->longest();
  }
  [[nodiscard]] const std::vector<std::size_t>& left_out() const override { return left_out_; }

 private:
  void add(std::size_t index, const catcher::SentValue& value, std::vector<std::string>& literals) {
    const bool is_canary = value.name.rfind("canary", 0) == 0;
    auto patterns = is_canary ? canary::encoded_canary_patterns(1, value.value)
                              : canary::key_patterns(value.value);
    if (!patterns) {
      left_out_.push_back(index);
      return;
    }
    for (auto& pattern : *patterns) {
      forms_.push_back({index, std::move(pattern.form)});
      literals.push_back(std::move(pattern.bytes));
    }
  }

  std::unique_ptr<canary::Matcher> matcher_;
  std::vector<catcher::SentMatch> forms_;  // by literal
  std::vector<std::size_t> left_out_;
};

}  // namespace

std::unique_ptr<catcher::SentSearch> make_sent_search(
    const std::vector<catcher::SentValue>& values) {
  return std::make_unique<PatternSearch>(values);
}

}  // namespace telltale::tools
