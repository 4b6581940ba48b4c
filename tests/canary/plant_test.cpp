#include "canary/plant.hpp"

#include <algorithm>

#include "canary/mint.hpp"
#include "canary/search.hpp"
#include "material.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

bool held(const std::vector<evidence::Control>& controls, const std::string& name) {
  const auto found = std::find_if(controls.begin(), controls.end(),
                                  [&](const auto& control) { return control.name == name; });
  return found != controls.end() && found->held;
}

// Sees what a real matcher sees, but not where `blind` says.
class Blinded final : public Matcher {
 public:
  using Blindness = std::function<bool(std::string_view buffer)>;
  Blinded(std::vector<std::string> literals, Blindness blind)
      : sighted_(make_gram_matcher(std::move(literals))), blind_(std::move(blind)) {}
  void find(std::string_view buffer, std::vector<Match>& found) const override {
    if (!blind_(buffer)) sighted_->find(buffer, found);
  }
  [[nodiscard]] std::size_t longest() const override { return sighted_->longest(); }
  [[nodiscard]] std::size_t length(std::size_t literal) const override {
    return sighted_->length(literal);
  }

 private:
  std::unique_ptr<Matcher> sighted_;
  Blindness blind_;
};

std::vector<evidence::Control> controls_of_blinded(const Blinded::Blindness& blind) {
  const test::TemporaryFolder folder;
  folder.write("file", "nothing");
  auto plan = plan_for({folder.path().string()});
  plan.matcher = [&](std::vector<std::string> literals) {
    return std::make_unique<Blinded>(std::move(literals), blind);
  };
  return search(plan)->controls;
}

}  // namespace

TEST_CASE("a search that sees holds every control, and leaves nothing behind") {
  const test::TemporaryFolder folder;
  folder.write("file", "nothing");
  setenv("TMPDIR", folder.path().c_str(), 1);
  const auto result = search(plan_for({folder.path().string()}));
  unsetenv("TMPDIR");
  for (const auto& name : required_controls()) CHECK(held(result->controls, name));
  for (const auto& control : result->controls) CHECK(control.held);
  CHECK(result->counts.files == 1);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a search that passes over binary files breaks its control") {
  const auto controls =
      controls_of_blinded([](std::string_view buffer) { return buffer.find('\0') != buffer.npos; });
  CHECK_FALSE(held(controls, "the search reads binary files"));
  CHECK(held(controls, "the search opens gzip files"));
}

TEST_CASE("a search that looks at the first bytes alone breaks its control") {
  const auto controls =
      controls_of_blinded([](std::string_view buffer) { return buffer.size() > 4096; });
  CHECK_FALSE(held(controls, "the search reads binary files"));
  CHECK_FALSE(held(controls, "the search opens gzip files"));
  CHECK(held(controls, "the search reads names"));
}

// The nonce is an attribute of the very file that holds it too.
TEST_CASE("what was found in a file is not found in its attributes") {
  const auto nonce = mint_canary();
  const auto plant = Plant::make(nonce).value();
  auto plan = plan_for({plant.folder()}, nonce);
  auto hits = search(plan).value().hits;
  const std::string attributes = "the search reads extended attributes";
  if (!test::require(held(plant.check(hits, 0), attributes), "a TMPDIR with extended attributes"))
    return;
  std::erase_if(hits, [](const Hit& hit) { return hit.place == Place::attribute; });
  CHECK_FALSE(held(plant.check(hits, 0), attributes));
  CHECK(held(plant.check(hits, 0), "the search reads binary files"));
}

TEST_CASE("a form that the matcher does not know breaks its control") {
  auto patterns = key_patterns(mint_key()).value();
  std::vector<std::string> literals;
  for (const auto& pattern : patterns) literals.push_back(pattern.bytes);
  CHECK(check_patterns(*make_gram_matcher(literals), patterns).held);
  literals.back()[3] ^= 1;
  const auto control = check_patterns(*make_gram_matcher(literals), patterns);
  CHECK_FALSE(control.held);
  CHECK(control.observed ==
        std::to_string(patterns.size() - 1) + " of " + std::to_string(patterns.size()) + " found");
}

TEST_CASE("no place for the controls: none of them holds") {
  const test::TemporaryFolder folder;
  folder.write("file", "nothing");
  setenv("TMPDIR", (folder / "missing").c_str(), 1);
  const auto result = search(plan_for({folder.path().string()}));
  unsetenv("TMPDIR");
  CHECK(result->controls.size() == required_controls().size());
  CHECK_FALSE(held(result->controls, "the search reads binary files"));
}
