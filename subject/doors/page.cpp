// The page door: opens a URL in Chromium inside the subject's sealed world, where what the page
// loads from elsewhere is seen and goes nowhere. Anywhere else it would be loaded, so there the
// door does not open.
//
// One browser serves several visits and is renewed while it is young: what a browser asks for by
// itself depends on its age, and is known of its first seconds only (kBrowserLife).
#include <atomic>
#include <optional>
#include <utility>

#include "subject/doors/makers.hpp"
#include "subject/doors/page/browser.hpp"
#include "subject/doors/page/visit.hpp"
#include "subject/wire/url.hpp"

namespace telltale::subject {

namespace {

class PageDoor final : public Door {
 public:
  PageDoor(PageCall call, const DoorContext& context)
      : written_(std::move(call)), context_(context) {}

  Result<> prepare(const Variables& variables) override {
    auto url = variables.expand(written_.url);
    if (!url) return pass_on(std::move(url.error()));
    auto parsed = parse_url(*url);
    if (!parsed) return pass_on(std::move(parsed.error()));
    url_ = std::move(*url);
    peer_ = {{parsed->host, parsed->port, {}}, 0};
    return {};
  }

  Result<Answer> call(Milliseconds limit) override {
    const Deadline deadline(limit, context_.interrupt_fd);
    if (browser_ && browser_->age() > kBrowserLife) close();
    if (!browser_)
      if (auto started = start(); !started) return pass_on(std::move(started.error()));
    auto seen = visit(*browser_, url_, deadline);
    if (!seen) {
      close();
      return pass_on(std::move(seen.error()));
    }
    Answer answer;
    answer.browser = browser_->executable();
    answer.status = seen->status;
    answer.body = std::move(seen->html);
    answer.requests = std::move(seen->requests);
    answer.took = deadline.elapsed();
    return answer;
  }

  [[nodiscard]] Peer peer() const override { return peer_; }
  [[nodiscard]] pid_t helper() const override { return helper_; }

 private:
  Result<> start() {
    auto browser = Browser::start(context_);
    if (!browser) return pass_on(std::move(browser.error()));
    browser_.emplace(std::move(*browser));
    helper_ = browser_->pid();
    return {};
  }

  void close() {
    helper_ = 0;
    browser_.reset();
  }

  PageCall written_;
  DoorContext context_;
  std::string url_;
  Peer peer_;
  std::optional<Browser> browser_;
  std::atomic<pid_t> helper_ = 0;
};

}  // namespace

MadeDoor make_page_door(const Step& step, const DoorContext& context) {
  if (context.enclosure.assurance().reduced)
    return fail(Fault::input, "a page is opened in the sealed world only",
                "leave out --plain; what a page loads would leave this machine");
  return std::make_unique<PageDoor>(std::get<PageCall>(step.call), context);
}

}  // namespace telltale::subject
