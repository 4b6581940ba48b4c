#include "evidence/mask.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/encoded_needle.hpp"

namespace telltale::evidence {

namespace {

constexpr std::size_t kShortest = 4;

// The fixed words of results.json: keys, and values that its schema lists, without those that are
// part of another. A secret inside one would turn the document into another one. A test compares
// this with the schema.
constexpr std::string_view kVocabulary[] = {"accepted",
                                            "advisory",
                                            "architecture",
                                            "assurance",
                                            "bounds",
                                            "busy",
                                            "cipher",
                                            "claim",
                                            "CLEAN",
                                            "columns",
                                            "commit",
                                            "config_digest",
                                            "controls_missing",
                                            "cores",
                                            "corroboration",
                                            "count",
                                            "details",
                                            "dirty",
                                            "egress",
                                            "ended",
                                            "environment",
                                            "evidence_folder",
                                            "exit_status",
                                            "expected",
                                            "expired",
                                            "failure",
                                            "files",
                                            "FINDINGS",
                                            "findings",
                                            "finished",
                                            "first",
                                            "format_version",
                                            "given",
                                            "headline",
                                            "held",
                                            "host",
                                            "image",
                                            "inherited",
                                            "interpreter",
                                            "INTERRUPTED",
                                            "kernel",
                                            "lanes",
                                            "last",
                                            "limits",
                                            "load_end",
                                            "load_start",
                                            "lost",
                                            "manifest_digest",
                                            "memory_bytes",
                                            "miss_rate_basis",
                                            "misses",
                                            "name",
                                            "negative",
                                            "NOT EVIDENCE",
                                            "note",
                                            "observed",
                                            "observers",
                                            "path",
                                            "platform",
                                            "polarity",
                                            "positive",
                                            "program",
                                            "proof",
                                            "reasons",
                                            "reduced",
                                            "reference",
                                            "remote",
                                            "removed",
                                            "required",
                                            "rests_on",
                                            "role",
                                            "rows",
                                            "script",
                                            "seen_by",
                                            "sees",
                                            "self",
                                            "sha256",
                                            "size_bytes",
                                            "skipped",
                                            "source",
                                            "stands",
                                            "started",
                                            "subject",
                                            "tables",
                                            "telltale results",
                                            "times",
                                            "timing",
                                            "title",
                                            "tool",
                                            "unexamined",
                                            "unit",
                                            "unseen",
                                            "until",
                                            "used",
                                            "value",
                                            "verdict",
                                            "virtualization",
                                            "waived",
                                            "waivers",
                                            "what",
                                            "where"};

bool is_instant(const std::string& text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd.dddZ";
  return text.size() == kForm.size() &&
         std::equal(text.begin(), text.end(), kForm.begin(), [](char c, char form) {
           return form == 'd' ? c >= '0' && c <= '9' : c == form;
         });
}

struct NamedSpan {
  Span span;
  const std::string* name;
};

}  // namespace

Result<> Masker::add(std::string name, std::string value) {
  if (value.size() < kShortest)
    return fail(Fault::input,
                fmt::format("the secret {} has {} bytes; masking it would mask everything", name,
                            value.size()),
                fmt::format("give it a value of at least {} bytes", kShortest));
  for (const auto word : kVocabulary)
    if (word.find(value) != std::string_view::npos)
      return fail(Fault::input,
                  fmt::format("the value of the secret {} is part of \"{}\", a word that every "
                              "results.json is made of",
                              name, word),
                  "give it another value; a random one proves more");
  secrets_.push_back({std::move(name), std::move(value)});
  return {};
}

std::string Masker::mask(std::string_view text) const {
  std::vector<NamedSpan> found;
  for (const auto& secret : secrets_)
    for (const auto& span : encoded_places(text, secret.value))
      found.push_back({span, &secret.name});
  if (found.empty()) return std::string(text);
  // The longest first among those that begin together; what overlaps is one place, so that no rest
  // of a value stays behind.
  std::sort(found.begin(), found.end(), [](const NamedSpan& a, const NamedSpan& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end > b.span.end;
  });
  std::string masked;
  std::size_t done = 0;
  for (std::size_t i = 0; i < found.size();) {
    auto [span, name] = found[i];
    for (++i; i < found.size() && found[i].span.begin < span.end; ++i)
      span.end = std::max(span.end, found[i].span.end);
    masked += text.substr(done, span.begin - done);
    masked += fmt::format("[secret {}]", *name);
    done = span.end;
  }
  return masked += text.substr(done);
}

void Masker::mask(nlohmann::json& document) const {
  if (secrets_.empty()) return;
  if (document.is_string()) {
    auto& text = document.get_ref<std::string&>();
    if (!is_instant(text)) text = mask(std::string_view(text));
  } else if (document.is_array()) {
    for (auto& each : document) mask(each);
  } else if (document.is_object()) {
    auto masked = nlohmann::json::object();
    for (auto& [key, value] : document.items()) {
      mask(value);
      auto name = mask(std::string_view(key));
      while (masked.contains(name)) name += " (again)";  // two keys, one mask: lose neither
      masked[name] = std::move(value);
    }
    document = std::move(masked);
  }
}

}  // namespace telltale::evidence
