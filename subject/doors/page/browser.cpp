#include "subject/doors/page/browser.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace telltale::subject {

namespace {

using nlohmann::json;

constexpr std::array kNames = {"chromium", "chromium-browser", "google-chrome", "chrome"};

// What keeps a browser from asking for things of its own as far as it lets itself be told; what it
// asks for nevertheless is learnt from a page that asks for nothing. The subject's proxy variables
// are not for it: whoever opens the page has a machine of their own.
constexpr std::array kSwitches = {"--headless",
                                  "--remote-debugging-pipe",
                                  "--disable-gpu",
                                  "--disable-dev-shm-usage",
                                  "--no-first-run",
                                  "--no-proxy-server",
                                  "--no-default-browser-check",
                                  "--disable-background-networking",
                                  "--disable-component-update",
                                  "--disable-default-apps",
                                  "--disable-extensions",
                                  "--disable-sync",
                                  "--disable-domain-reliability",
                                  "--disable-client-side-phishing-detection",
                                  "--disable-field-trial-config",
                                  "--disable-breakpad",
                                  "--disable-features=NetworkTimeServiceQuerying,"
                                  "OptimizationHints,OptimizationHintsFetching,"
                                  "OptimizationGuideModelDownloading,MediaRouter,Translate,"
                                  "AutofillServerCommunication",
                                  "--metrics-recording-only",
                                  "--password-store=basic"};

constexpr auto kScript =
    "home=$(mktemp -d) || exit; program=$1; shift; HOME=$home; export HOME; "
    "exec \"$program\" --user-data-dir=\"$home/profile\" \"$@\" about:blank "
    "3<&0 4>&1 </dev/null >/dev/null";

Result<std::filesystem::path> find_browser() {
  const char* path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (const auto* name : kNames)
    for (std::size_t from = 0; from <= folders.size();) {
      const auto end = std::min(folders.find(':', from), folders.size());
      const auto file = std::filesystem::path(folders.substr(from, end - from)) / name;
      if (file.is_absolute() && access(file.c_str(), X_OK) == 0) return file;
      from = end + 1;
    }
  return fail(Fault::instrument, "there is no Chromium on the PATH to open a page with",
              "install chromium, or remove the page doors and waive \"pages\"");
}

std::string text(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

}  // namespace

Result<Browser> Browser::start(const DoorContext& context) {
  const auto program = find_browser();
  if (!program) return pass_on(program.error());
  ProcessPlan plan;
  plan.argv = {"/bin/sh", "-c", kScript, "sh", program->string()};
  plan.argv.insert(plan.argv.end(), kSwitches.begin(), kSwitches.end());
  if (geteuid() == 0 && context.user.empty()) plan.argv.emplace_back("--no-sandbox");
  plan.environment = context.environment;
  plan.folder = context.folder;
  plan.user = context.user;
  auto conversation = Conversation::start(context.enclosure, std::move(plan), '\0');
  if (!conversation) return pass_on(std::move(conversation.error()));
  return Browser(std::move(*conversation));
}

std::string Browser::executable() const {
  std::error_code error;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid()), error).string();
}

Error Browser::ended(Io state, const Deadline& deadline) {
  auto error = stream_error(state, "the browser", "before it answered", deadline);
  if (state == Io::closed || state == Io::reset) error.what += conversation_.last_words();
  return error;
}

// An event is handed on; an answer comes back.
Result<json> Browser::read(const Deadline& deadline) {
  std::string message;
  const Io state = conversation_.read(message, deadline);
  if (state == Io::late) return json();
  if (state != Io::done) return pass_on(ended(state, deadline));
  auto said = json::parse(message, nullptr, false);
  if (!said.is_object()) return fail(Fault::subject, "the browser said what is no JSON object");
  if (said.contains("method") && event_)
    event_(text(said, "method"), said.value("params", json::object()), text(said, "sessionId"));
  return said;
}

Result<> Browser::listen(const Deadline& deadline) {
  const auto said = read(deadline);
  return said ? Result<>() : pass_on(said.error());
}

Result<> Browser::post(const std::string& method, const json& params, const std::string& session,
                       const Deadline& deadline) {
  json message{{"id", ++last_id_}, {"method", method}, {"params", params}};
  if (!session.empty()) message["sessionId"] = session;
  auto bytes = message.dump(-1, ' ', false, json::error_handler_t::replace);
  bytes.push_back('\0');
  const Io state = conversation_.write(bytes, deadline);
  return state == Io::done || state == Io::answered ? Result<>() : pass_on(ended(state, deadline));
}

Result<json> Browser::command(const std::string& method, const json& params,
                              const std::string& session, const Deadline& deadline) {
  if (auto sent = post(method, params, session, deadline); !sent)
    return pass_on(std::move(sent.error()));
  const int id = last_id_;
  for (;;) {
    auto said = read(deadline);
    if (!said) return said;
    if (said->is_null()) return pass_on(ended(Io::late, deadline));
    if (said->value("id", json()) != id) continue;
    if (said->contains("error"))
      return fail(Fault::subject, fmt::format("the browser refused {}: {}", method,
                                              text((*said)["error"], "message")));
    return said->value("result", json::object());
  }
}

}  // namespace telltale::subject
