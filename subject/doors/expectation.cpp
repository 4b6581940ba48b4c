#include "subject/doors/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "subject/doors/door.hpp"
#include "subject/quote.hpp"

namespace telltale::subject {

namespace {

constexpr std::size_t kQuoteLimit = 200;  // bytes of an answer in a message

enum class Kind { http, mcp, raw, command };

Kind kind_of(const Call& call) {
  if (std::holds_alternative<HttpCall>(call) || std::holds_alternative<PageCall>(call))
    return Kind::http;
  if (std::holds_alternative<McpCall>(call)) return Kind::mcp;
  if (std::holds_alternative<ExecCall>(call)) return Kind::command;
  const auto* local = std::get_if<UnixCall>(&call);
  return local != nullptr && local->http ? Kind::http : Kind::raw;
}

std::string what_came(Kind kind, const Answer& answer) {
  std::string text;
  if (kind == Kind::http) text = fmt::format("status {}", answer.status);
  if (kind == Kind::command) text = fmt::format("exit status {}", answer.status);
  if (!answer.error.empty())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", quote(answer.error, kQuoteLimit));
  if (!answer.body.empty() || text.empty())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", quote(answer.body, kQuoteLimit));
  if (answer.cut) text += fmt::format(" (cut after {} bytes)", kAnswerLimit);
  return text;
}

tl::unexpected<Error> unmet(Kind kind, const std::string& expected, const Answer& answer) {
  return fail(Fault::subject,
              fmt::format("expected {}, but got {}", expected, what_came(kind, answer)));
}

// What holds unless the step says otherwise. A text that is expected is no substitute: the page of
// an error may well quote what it was asked for.
Result<> meets_usual(Kind kind, const Expectation& expect, const Answer& answer) {
  if (kind == Kind::mcp && !answer.error.empty()) return unmet(kind, "a result", answer);
  if (kind == Kind::raw && unspecific(expect) && answer.body.empty())
    return unmet(kind, "an answer", answer);
  if (expect.status) return {};
  if (kind == Kind::http && (answer.status < 200 || answer.status > 299))
    return unmet(kind, "status 2xx", answer);
  if (kind == Kind::command && answer.status != 0) return unmet(kind, "exit status 0", answer);
  return {};
}

}  // namespace

bool unspecific(const Expectation& expect) {
  return !expect.status && !expect.starts_with && !expect.contains && !expect.equals;
}

bool text_meets(const Expectation& expect, std::string_view text) {
  return GrowingText(expect).meets(text);
}

bool GrowingText::meets(std::string_view text) {
  if (!expect_.starts_with && !expect_.contains && !expect_.equals) return !text.empty();
  if (expect_.starts_with && !text.starts_with(*expect_.starts_with)) return false;
  if (expect_.equals && text != *expect_.equals) return false;
  if (!expect_.contains || contained_) return true;
  contained_ = text.find(*expect_.contains, searched_) != text.npos;
  searched_ = text.size() - std::min(text.size(), expect_.contains->size());
  return contained_;
}

bool GrowingText::cannot_meet(std::string_view text) const {
  const auto departs = [text](std::string_view wanted) {
    return text.substr(0, wanted.size()) != wanted.substr(0, text.size());
  };
  if (expect_.starts_with && departs(*expect_.starts_with)) return true;
  return expect_.equals && (departs(*expect_.equals) || text.size() > expect_.equals->size());
}

Result<Expectation> expand(const Expectation& written, const Variables& variables) {
  Expectation expanded = written;
  for (auto* text : {&expanded.starts_with, &expanded.contains, &expanded.equals}) {
    if (!*text) continue;
    auto value = variables.expand(**text);
    if (!value) return pass_on(std::move(value.error()));
    *text = std::move(*value);
  }
  return expanded;
}

Result<> meets(const Step& step, const Expectation& expanded, const Answer& answer) {
  const Kind kind = kind_of(step.call);
  auto usual = meets_usual(kind, expanded, answer);
  if (!usual) return usual;
  if (expanded.status && *expanded.status != answer.status)
    return unmet(
        kind,
        fmt::format("{} {}", kind == Kind::command ? "exit status" : "status", *expanded.status),
        answer);
  const std::string_view body = answer.body;
  if (expanded.starts_with && !body.starts_with(*expanded.starts_with))
    return unmet(kind, fmt::format("a start of {}", quote(*expanded.starts_with)), answer);
  if (expanded.contains && body.find(*expanded.contains) == body.npos)
    return unmet(kind, fmt::format("{} in the answer", quote(*expanded.contains)), answer);
  if (expanded.equals && body != *expanded.equals)
    return unmet(kind, fmt::format("exactly {}", quote(*expanded.equals)), answer);
  return {};
}

}  // namespace telltale::subject
