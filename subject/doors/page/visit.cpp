#include "subject/doors/page/visit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace telltale::subject {

namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr Milliseconds kQuiet{500};       // without a request: the page has all that it wants
constexpr Milliseconds kSettle{3000};     // for a page that goes on asking once it has loaded
constexpr Milliseconds kLeave{400};       // for what it sends when it is left
constexpr Milliseconds kOpening{60'000};  // for a browser that starts on a busy machine
constexpr std::size_t kRequests = 1000;

std::string text_at(const json& object, const json::json_pointer& where) {
  return object.contains(where) && object.at(where).is_string()
             ? object.at(where).get<std::string>()
             : std::string();
}

std::string text_of_key(const json& object, const char* key) {
  return text_at(object, json::json_pointer("/" + std::string(key)));
}

class PageVisit {
 public:
  PageVisit(Browser& browser, const Deadline& deadline) : browser_(browser), deadline_(deadline) {
    browser_.on_event([this](const auto& method, const auto& params, const auto& session) {
      take(method, params, session);
    });
  }
  PageVisit(const PageVisit&) = delete;
  PageVisit& operator=(const PageVisit&) = delete;
  ~PageVisit() { browser_.on_event({}); }

  Result<Visit> run(const std::string& url) {
    auto opened = open();
    if (!opened) return pass_on(std::move(opened.error()));
    auto loader = navigate(url);
    if (!loader) return pass_on(std::move(loader.error()));
    if (auto quiet = until_quiet(url); !quiet) return pass_on(std::move(quiet.error()));
    auto document = html();
    if (!document) return pass_on(std::move(document.error()));
    visit_.html = std::move(*document);
    visit_.status = statuses_[*loader];
    if (auto left = leave(); !left) return pass_on(std::move(left.error()));
    return std::move(visit_);
  }

 private:
  Result<json> ask(const std::string& method, const json& params) {
    return browser_.command(method, params, session_, deadline_);
  }

  // A context, a tab in it, and a session with that tab.
  Result<> open() {
    auto context = ask("Target.createBrowserContext", json::object());
    if (!context) return pass_on(std::move(context.error()));
    context_ = text_of_key(*context, "browserContextId");
    auto target =
        ask("Target.createTarget", {{"url", "about:blank"}, {"browserContextId", context_}});
    if (!target) return pass_on(std::move(target.error()));
    auto session = ask("Target.attachToTarget",
                       {{"targetId", text_of_key(*target, "targetId")}, {"flatten", true}});
    if (!session) return pass_on(std::move(session.error()));
    session_ = text_of_key(*session, "sessionId");
    if (auto page = ask("Page.enable", json::object()); !page)
      return pass_on(std::move(page.error()));
    return watch(session_);
  }

  // Requests of this session, and of the frames and workers that it starts.
  Result<> watch(const std::string& session) {
    const json follow{{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}};
    auto posted = browser_.post("Network.enable", json::object(), session, deadline_);
    if (posted) posted = browser_.post("Target.setAutoAttach", follow, session, deadline_);
    return posted;
  }

  // The id of the document's request.
  Result<std::string> navigate(const std::string& url) {
    auto went = ask("Page.navigate", {{"url", url}});
    if (!went) return pass_on(std::move(went.error()));
    if (const auto why = text_of_key(*went, "errorText"); !why.empty())
      return fail(Fault::subject, fmt::format("the page did not open: {}", why));
    return text_of_key(*went, "loaderId");
  }

  Result<> until_quiet(const std::string& url) {
    while (!is_quiet()) {
      if (deadline_.left_ms() == 0)
        return fail(Fault::subject,
                    fmt::format("{} did not load within {} ms", url, deadline_.limit().count()));
      if (auto heard = hear(Milliseconds(50)); !heard) return heard;
    }
    return {};
  }

  [[nodiscard]] bool is_quiet() const {
    if (!loaded_) return false;
    const auto now = Clock::now();
    if (now - *loaded_ >= kSettle) return true;
    return pending_.empty() && now - std::max(*loaded_, last_) >= kQuiet;
  }

  Result<> hear(Milliseconds time) {
    return browser_.listen(
        Deadline(std::min(time, Milliseconds(deadline_.left_ms())), deadline_.interrupt_fd()));
  }

  Result<std::string> html() {
    auto value = ask("Runtime.evaluate", {{"expression",
                                           "document.documentElement ? "
                                           "document.documentElement.outerHTML : ''"},
                                          {"returnByValue", true}});
    if (!value) return pass_on(std::move(value.error()));
    return text_at(*value, "/result/value"_json_pointer).substr(0, kAnswerLimit);
  }

  // Unload handlers run, and beacons go out; then everything of this visit is gone.
  Result<> leave() {
    auto left = ask("Page.navigate", {{"url", "about:blank"}});
    if (!left) return pass_on(std::move(left.error()));
    const auto end = Clock::now() + kLeave;
    while (Clock::now() < end && deadline_.left_ms() > 0)
      if (auto heard = hear(Milliseconds(50)); !heard) return heard;
    auto gone = browser_.command("Target.disposeBrowserContext", {{"browserContextId", context_}},
                                 "", deadline_);
    return gone ? Result<>() : pass_on(std::move(gone.error()));
  }

  void take(const std::string& method, const json& params, const std::string& session) {
    const auto id = text_of_key(params, "requestId");
    if (method == "Network.requestWillBeSent") {
      note(text_at(params, "/request/method"_json_pointer),
           text_at(params, "/request/url"_json_pointer));
      pending_.insert(id);
    } else if (method == "Network.webSocketCreated") {
      note("WebSocket", text_of_key(params, "url"));
    } else if (method == "Network.responseReceived") {
      statuses_[id] = params.value("/response/status"_json_pointer, 0);
    } else if (method == "Network.loadingFinished" || method == "Network.loadingFailed") {
      pending_.erase(id);
    } else if (method == "Page.loadEventFired" && session == session_) {
      if (!loaded_) loaded_ = Clock::now();
    } else if (method == "Target.attachedToTarget") {
      follow(text_of_key(params, "sessionId"));
    }
    if (method.starts_with("Network.")) last_ = Clock::now();
  }

  void follow(const std::string& session) {
    if (session == session_ || session_.empty()) return;
    if (auto watched = watch(session); watched)
      (void)browser_.post("Runtime.runIfWaitingForDebugger", json::object(), session, deadline_);
  }

  // What has no host (data:, blob:, about:) asks nobody.
  void note(const std::string& method, const std::string& url) {
    if (url.find("://") == url.npos || url.starts_with("chrome")) return;
    if (visit_.requests.size() < kRequests) visit_.requests.push_back({method, url});
  }

  Browser& browser_;
  const Deadline& deadline_;
  std::string context_, session_;
  Visit visit_;
  std::map<std::string, int> statuses_;  // by request
  std::set<std::string> pending_;        // requests without an end
  std::optional<Clock::time_point> loaded_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace

Result<Visit> visit(Browser& browser, const std::string& url, const Deadline& deadline) {
  return PageVisit(browser, deadline).run(url);
}

Result<std::string> idle_browser(const DoorContext& context, Milliseconds time) {
  auto browser = Browser::start(context);
  if (!browser) return pass_on(std::move(browser.error()));
  const Deadline opening(kOpening, context.interrupt_fd);
  if (auto seen = visit(*browser, "about:blank", opening); !seen)
    return pass_on(std::move(seen.error()));
  const Deadline end(time, context.interrupt_fd);
  while (end.left_ms() > 0)
    if (auto heard = browser->listen(end); !heard) return pass_on(std::move(heard.error()));
  return browser->executable();
}

}  // namespace telltale::subject
