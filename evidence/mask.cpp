#include "evidence/mask.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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
  secrets_.push_back({std::move(name), EncodedNeedle(std::move(value))});
  return {};
}

std::vector<Masker::NamedSpan> Masker::find(std::string_view text) const {
  std::vector<NamedSpan> found;
  for (const auto& secret : secrets_)
    for (const auto& span : secret.value.places(text)) found.push_back({span, &secret.name});
  return found;
}

std::string Masker::mask(std::string_view text) const {
  auto found = find(text);
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

void Masker::mask_in_place(std::string& text) const {
  if (!is_instant(text) && !find(text).empty()) text = mask(std::string_view(text));
}

// An object is made anew only where a key changes: most are the fixed words of the document.
void Masker::mask_keys(nlohmann::json& object) const {
  bool changes = false;
  for (const auto& item : object.items()) changes = changes || !find(item.key()).empty();
  if (!changes) return;
  auto masked = nlohmann::json::object();
  for (auto& [key, value] : object.items()) {
    auto name = mask(std::string_view(key));
    while (masked.contains(name)) name += " (again)";  // two keys, one mask: lose neither
    masked[name] = std::move(value);
  }
  object = std::move(masked);
}

void Masker::mask(nlohmann::json& document) const {
  if (secrets_.empty()) return;
  if (document.is_string()) return mask_in_place(document.get_ref<std::string&>());
  if (!document.is_structured()) return;
  for (auto& each : document) mask(each);
  if (document.is_object()) mask_keys(document);
}

}  // namespace telltale::evidence
