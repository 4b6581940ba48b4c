#include "canary/pattern.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "canary/encodings.hpp"

namespace telltale::canary {

namespace {

bool searchable(std::string_view bytes) {
  return bytes.size() >= kShortestValue &&
         bytes.find_first_not_of(bytes.front()) != std::string_view::npos;
}

Result<> check(const std::string& name, std::string_view value) {
  if (value.size() < kShortestValue)
    return fail(Fault::input,
                fmt::format("{} has {} byte{}; shorter than {} it would be found by chance", name,
                            value.size(), value.size() == 1 ? "" : "s", kShortestValue),
                "give a longer value, best 24 random letters and digits");
  if (!searchable(value))
    return fail(Fault::input, name + " is one byte repeated, which padding and empty pages are too",
                "give a value of different bytes, best 24 random letters and digits");
  return {};
}

class KeyForms {
 public:
  void add(const std::string& prefix, std::string_view bytes) {
    add_form(prefix + "raw", std::string(bytes));
    add_form(prefix + "hex", to_hex(bytes));
    add_form(prefix + "hex upper case", to_upper_hex(bytes));
    for (unsigned offset = 0; offset < 3; ++offset) {
      const auto suffix = fmt::format(" offset {}", offset);
      add_form(prefix + "base64" + suffix, base64_core(bytes, offset, Alphabet::base64));
      add_form(prefix + "base64url" + suffix, base64_core(bytes, offset, Alphabet::base64url));
    }
  }
  std::vector<Pattern> take() { return std::move(patterns_); }

 private:
  void add_form(std::string form, std::string bytes) {
    const bool known = std::any_of(patterns_.begin(), patterns_.end(),
                                   [&](const auto& pattern) { return pattern.bytes == bytes; });
    if (!known) patterns_.push_back({Kind::key, 0, std::move(form), std::move(bytes)});
  }

  std::vector<Pattern> patterns_;
};

// Every hex text of a fitting length is base64 too: hex is asked first.
std::optional<std::string> decoded(std::string_view value) {
  auto bytes = from_hex(value);
  if (!bytes) bytes = from_base64(value);
  if (bytes && !searchable(*bytes)) bytes.reset();
  return bytes;
}

}  // namespace

std::string Pattern::value_name() const {
  switch (kind) {
    case Kind::canary:
      return fmt::format("canary {}", number);
    case Kind::key:
      return "key";
    case Kind::control:
      return "control nonce";
  }
  return "";
}

std::string Pattern::label() const {
  return fmt::format("{}, {}", value_name(), form);
}

Result<std::vector<Pattern>> canary_patterns(unsigned number, std::string_view value) {
  if (auto checked = check(fmt::format("canary {}", number), value); !checked)
    return pass_on(checked.error());
  return std::vector<Pattern>{{Kind::canary, number, "raw", std::string(value)}};
}

Result<std::vector<Pattern>> encoded_canary_patterns(unsigned number, std::string_view value) {
  if (auto checked = check(fmt::format("canary {}", number), value); !checked)
    return pass_on(checked.error());
  KeyForms forms;
  forms.add("", value);
  auto patterns = forms.take();
  for (auto& pattern : patterns) {
    pattern.kind = Kind::canary;
    pattern.number = number;
  }
  return patterns;
}

Result<std::vector<Pattern>> key_patterns(std::string_view value) {
  if (auto checked = check("the key", value); !checked) return pass_on(checked.error());
  KeyForms forms;
  if (const auto bytes = decoded(value)) {
    forms.add("", *bytes);
    forms.add("text in ", value);
  } else {
    forms.add("", value);
  }
  return forms.take();
}

}  // namespace telltale::canary
