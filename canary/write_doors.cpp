#include "canary/write_doors.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/counted.hpp"
#include "subject/variables.hpp"

namespace telltale::canary {

namespace {

std::set<std::string> canaries_in(const std::string& text) {
  std::set<std::string> found;
  for (const auto& name : subject::names_in(text))
    if (name.starts_with("canary.")) found.insert(name);
  return found;
}

// A step's kind, the place that it asks, and all the text in which a canary may stand.
struct WriteStep {
  std::string kind, place, text;
};

std::string joined(const subject::Argv& words, bool without_canaries) {
  std::string text;
  for (const auto& word : words)
    if (!without_canaries || canaries_in(word).empty()) text += word + "\n";
  return text;
}

// Of a tools/call.
std::string tool_of(const subject::McpCall& call) {
  if (!call.params || !call.params->is_object()) return {};
  const auto name = call.params->find("name");
  return name == call.params->end() ? std::string() : name->dump();
}

struct Look {
  WriteStep operator()(const subject::HttpCall& call) const {
    auto text = call.url + "\n" + call.body.value_or("") + "\n";
    if (call.json) text += call.json->dump();
    for (const auto& [name, value] : call.headers) text += "\n" + value;
    return {"http", call.method + " " + call.url.substr(0, call.url.find('?')), text};
  }
  WriteStep operator()(const subject::McpCall& call) const {
    return {"mcp", call.url + joined(call.command, true) + call.call + " " + tool_of(call),
            call.params ? call.params->dump() : ""};
  }
  WriteStep operator()(const subject::TcpCall& call) const { return {"tcp", call.port, call.send}; }
  WriteStep operator()(const subject::UnixCall& call) const {
    if (!call.http) return {"unix", call.path, call.send};
    const auto http = (*this)(*call.http);
    return {"unix", call.path + " " + http.place, http.text};
  }
  WriteStep operator()(const subject::ExecCall& call) const {
    return {"exec", joined(call.command, true),
            joined(call.command, false) + call.stdin_text.value_or("")};
  }
  WriteStep operator()(const subject::PageCall& call) const {
    return {"page", call.url.substr(0, call.url.find('?')), call.url};
  }
};

}  // namespace

WriteDoors write_doors(const std::vector<subject::Step>& steps) {
  WriteDoors found;
  std::set<std::string> canaries;
  for (const auto& step : steps) {
    const auto look = std::visit(Look{}, step.call);
    auto written = canaries_in(look.text);
    if (written.empty()) continue;  // a login, a table that is made
    canaries.merge(written);
    found.steps.insert(step.name);
    found.doors.insert(look.kind + " " + look.place);
    found.kinds.insert(look.kind);
  }
  found.canaries = canaries.size();
  return found;
}

std::string WriteDoors::text() const {
  return fmt::format("{} by {} through {} ({})", evidence::counted(canaries, "canary", "canaries"),
                     evidence::counted(steps.size(), "step"),
                     evidence::counted(doors.size(), "door"), fmt::join(kinds, ", "));
}

}  // namespace telltale::canary
