#include "subject/specification/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "evidence/suggest.hpp"
#include "subject/variables.hpp"

namespace telltale::subject {

namespace {

constexpr std::string_view kPort = "port.";
constexpr std::string_view kCanary = "canary.";

bool starts(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

int canary_number(std::string_view name) {
  if (!starts(name, kCanary) || name.size() == kCanary.size() || name[kCanary.size()] == '0')
    return 0;
  int number = 0;
  const auto* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + kCanary.size(), end, number);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
  return whole && number > 0 && number <= kCanaryLimit ? number : 0;
}

Scope Scope::with(const std::vector<std::string>& more) const {
  Scope wider = *this;
  wider.names_.insert(wider.names_.end(), more.begin(), more.end());
  return wider;
}

Scope Scope::with_canaries() const {
  Scope wider = *this;
  wider.canaries_ = true;
  return wider;
}

bool Scope::knows(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end() ||
         (canaries_ && canary_number(name) > 0);
}

void Scope::check(const std::string& text, Place place, Mistakes& mistakes) const {
  const auto pieces = pieces_of(text);
  if (!pieces) {
    mistakes.add({place, pieces.error().what, pieces.error().fix});
    return;
  }
  for (const auto& piece : *pieces)
    if (piece.is_name && !knows(piece.text)) mistakes.add_reference(unknown(piece.text, place));
}

Mistake Scope::unknown(const std::string& name, Place place) const {
  if (names_.empty())
    return {place, fmt::format("no variable is known here, and ${{{}}} is used", name),
            "write the value itself"};
  if (starts(name, kCanary) && !canaries_)
    return {place, fmt::format("${{{}}} is known only in steps of cipher:", name),
            "a canary is minted for the cipher lane; write a value of your own here"};
  if (starts(name, kCanary))
    return {place,
            fmt::format("canaries are ${{canary.1}} to ${{canary.{}}}, not ${{{}}}", kCanaryLimit,
                        name),
            "number them from 1"};
  if (starts(name, kPort)) {
    const auto port = name.substr(kPort.size());
    std::vector<std::string> ports;
    for (const auto& known : names_)
      if (starts(known, kPort)) ports.push_back(known.substr(kPort.size()));
    return {place,
            fmt::format("ports: does not list '{}'{}", port, evidence::did_you_mean(port, ports)),
            "add it to ports: in subject"};
  }
  return {place,
          fmt::format("undefined variable ${{{}}}{}", name, evidence::did_you_mean(name, names_)),
          fmt::format("known here: {}; write $${{ for a literal ${{", fmt::join(names_, ", "))};
}

}  // namespace telltale::subject
