#include "canary/search_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "evidence/report/page.hpp"

namespace telltale::canary {

namespace {

using evidence::field;
using evidence::flag;
using evidence::Ink;
using evidence::items;
using evidence::Page;
using evidence::shown;
using evidence::with_unit;
using nlohmann::json;

constexpr std::size_t kLines = 20;  // of a list, without -v

// At most kLines of them, and how many more there are.
void write_list(const json& all, bool whole, Page& page,
                const std::function<void(const json& item)>& write) {
  const auto count = whole ? all.size() : std::min(all.size(), kLines);
  for (std::size_t i = 0; i < count; ++i) write(all[i]);
  if (count < all.size())
    page.line(fmt::format("  ... and {} more (-v shows them all)", all.size() - count));
}

Ink ink_of(const std::string& verdict) {
  if (verdict == "NOT FOUND") return Ink::good;
  return verdict == "FOUND" ? Ink::bad : Ink::doubtful;
}

void write_hit(const json& hit, Page& page) {
  const auto& offsets = items(hit, "offsets");
  const auto count = hit.value("count", std::uint64_t{0});
  page.paragraph(field(hit, "where"), "  ");
  page.paragraph(
      fmt::format("{}, {}: {}, {} byte {}", field(hit, "value"), field(hit, "form"),
                  count == 1 ? "once" : fmt::format("{} times", count),
                  count == 1 ? "at" : "first at", offsets.empty() ? "" : shown(offsets.front())),
      "    ");
}

void write_counts(const json& counts, Page& page) {
  static const std::pair<const char*, const char*> labels[] = {
      {"files", "files searched"},
      {"read", "bytes read"},
      {"holes", "bytes in holes"},
      {"decoded", "bytes out of gzip files"},
      {"passed_over", "in no gzip member"},
      {"unread", "bytes not readable"},
      {"folders", "folders"},
      {"links", "links, not followed"},
      {"attributes", "extended attributes"},
      {"again", "hard links"},
      {"special", "sockets, FIFOs, devices"}};
  page.heading("Searched");
  for (const auto& [key, label] : labels) {
    const auto value = counts.value(key, std::uint64_t{0});
    const bool bytes = std::string_view(label).find("byte") != std::string_view::npos;
    if (value != 0 || std::string_view(key) == "files" || std::string_view(key) == "read")
      page.labelled(label, with_unit(value, bytes ? "B" : ""), 24);
  }
}

void write_headers(const json& headers, bool whole, Page& page) {
  std::vector<std::vector<std::string>> rows;
  const auto count = whole ? headers.size() : std::min(headers.size(), kLines);
  for (std::size_t i = 0; i < count; ++i)
    rows.push_back({field(headers[i], "class"), field(headers[i], "known_as"),
                    shown(headers[i].value("files", json())),
                    shown(headers[i].value("distinct", json()))});
  page.heading("First bytes: what the files look like");
  page.table({"named", "known as", "files", "distinct"}, rows);
  if (count < headers.size())
    page.line(fmt::format("  ... and {} more (-v shows them all)", headers.size() - count));
}

void write_values(const json& document, bool whole, Page& page) {
  page.heading("Values");
  write_list(items(document, "values"), whole, page, [&](const json& value) {
    const auto text = field(value, "value");
    page.labelled(field(value, "name"), text.empty() ? "(not shown)" : text, 12);
  });
}

void write_controls(const json& document, Page& page) {
  page.heading("Controls: what this search had to find");
  for (const auto& control : items(document, "controls")) {
    const bool held = flag(control, "held");
    page.marked(held ? Ink::good : Ink::bad, held ? "  held" : "  BROKEN",
                fmt::format("{}: expected {}, {}", field(control, "name"),
                            field(control, "expected"), field(control, "observed")),
                held ? "  held    " : "  BROKEN  ");
  }
}

}  // namespace

void write_search_text(const json& document, const TextOptions& options, std::ostream& out) {
  Page page(out, options.report.color);
  const bool whole = options.report.verbose;
  const auto verdict = field(document, "verdict");
  page.marked(ink_of(verdict), verdict, field(document, "headline"));
  if (options.headline_only) return;

  const auto bullet = [&](const json& sentence) { page.paragraph(shown(sentence), "  - "); };
  if (const auto& reasons = items(document, "reasons"); !reasons.empty()) {
    page.heading("Why more cannot be said");
    write_list(reasons, whole, page, bullet);
  }
  write_values(document, whole, page);
  if (const auto& hits = items(document, "hits"); !hits.empty()) {
    page.heading("Found");
    write_list(hits, whole, page, [&](const json& hit) { write_hit(hit, page); });
  }
  if (const auto& unseen = items(document, "unseen"); !unseen.empty()) {
    page.heading("Not seen");
    write_list(unseen, whole, page, [&](const json& place) {
      page.paragraph(field(place, "path") + " " + field(place, "why"), "  - ");
    });
  }
  write_counts(document.at("counts"), page);
  write_headers(items(document, "headers"), whole, page);
  write_controls(document, page);
  page.heading("What this search cannot say");
  write_list(items(document, "limits"), true, page, bullet);
}

}  // namespace telltale::canary
