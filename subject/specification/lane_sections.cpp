// `egress:` and `self:`.
#include <fmt/core.h>

#include "subject/specification/sections.hpp"

namespace telltale::subject {

namespace {

constexpr int kMost = 1'000'000;

WaiverEntry read_allowed(const View& view, const Names& names) {
  auto allowed = read_waiver(view, names, "allow", "host");
  const auto* host = view.node().find("host");
  if (host != nullptr && allowed.what.find_first_of("/ ") != std::string::npos)
    view.mistakes().add({host->value->place, fmt::format("'{}' is no host", allowed.what),
                         "write the name alone, or host:port: time.example.com:123"});
  return allowed;
}

}  // namespace

void read_egress(const Section& file, const Names& names, Specification& specification) {
  const auto view = file.at("egress");
  if (!view) return;
  const Section section(*view, {"egress"});
  EgressSettings egress;
  section.take_whole("launches", 1, 20, egress.launches);
  section.take_whole("rounds", 1, kMost, egress.rounds);
  section.take("window", &View::duration, egress.window);
  section.take("read_tls", &View::flag, egress.read_tls);
  if (const auto control = section.at("control"))
    egress.control = read_difference(*control, names, false);
  for (const auto& item : section.items("allow")) egress.allow.push_back(read_allowed(item, names));
  read_answers(section, names, specification.folder, egress.answers);
  read_companions(section, names, egress.companions);
  specification.egress = std::move(egress);
}

void read_self(const Section& file, const Names& names, Specification& specification) {
  const auto view = file.at("self");
  if (!view) return;
  const Section section(*view, {"self"});
  SelfSettings self;
  if (const auto modules = section.at("modules"))
    Section(*modules, {"modules"}).take("from", names.none, &View::filled, self.modules_from);
  section.take("openapi", names.launch, &View::url, self.openapi);
  section.take_whole("calls", 1, kMost, self.calls);
  specification.self = std::move(self);
}

}  // namespace telltale::subject
