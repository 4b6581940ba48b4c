// capture: values of an answer that later steps use.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "subject/doors/cookies.hpp"
#include "subject/doors/door.hpp"
#include "subject/quote.hpp"

namespace telltale::subject {

namespace {

using nlohmann::json;

// RFC 6901; nullptr when nothing is there.
Result<const json*> at_pointer(const json& document, const std::string& name,
                               const std::string& pointer) {
  try {
    const json::json_pointer place(pointer);
    return document.contains(place) ? &document.at(place) : nullptr;
  } catch (const json::exception&) {
    return fail(Fault::input,
                fmt::format("capture {}: {} is not a JSON pointer", name, quote(pointer)),
                "write it as /access_token or /items/0/id");
  }
}

std::string as_text(const json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

Result<> capture(const Step& step, const Answer& answer, Variables& variables) {
  keep_cookies(answer.cookies, variables);
  if (step.capture.empty()) return {};
  const json document = json::parse(answer.body, nullptr, false);
  if (document.is_discarded())
    return fail(Fault::subject,
                fmt::format("the answer is no JSON, so nothing can be captured from it: {}",
                            quote(answer.body)));
  for (const auto& [name, pointer] : step.capture) {
    const auto value = at_pointer(document, name, pointer);
    if (!value) return pass_on(value.error());
    if (*value == nullptr)
      return fail(Fault::subject, fmt::format("capture {}: nothing at {} in the answer: {}", name,
                                              pointer, quote(answer.body)));
    variables.set(name, as_text(**value));
  }
  return {};
}

}  // namespace telltale::subject
