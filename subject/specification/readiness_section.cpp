// `ready:` and `stop:`, of the subject and of its companions.
#include <fmt/core.h>

#include "evidence/suggest.hpp"
#include "subject/specification/sections.hpp"
#include "subject/specification/values.hpp"

namespace telltale::subject {

namespace {

void read_ready_target(const Section& section, const std::string& way, const Names& names,
                       Readiness& ready) {
  if (way == "http") {
    ready.kind = Readiness::Kind::http;
    section.take("http", &View::url, ready.target);
  } else if (way == "tcp") {
    ready.kind = Readiness::Kind::tcp;
    ready.target = read_port(*section.at("tcp"), names).value_or("");
  } else if (way == "unix") {
    ready.kind = Readiness::Kind::unix_socket;
    section.take("unix", &View::filled, ready.target);
  } else if (way == "exec") {
    ready.kind = Readiness::Kind::exec;
    section.take("exec", &View::argv, ready.command);
  } else if (way == "notify") {
    ready.kind = Readiness::Kind::notify;
    const auto value = section.at("notify");
    if (const auto on = value->flag(); on && !*on)
      value->mistake("subject.ready.notify is false", "write true, or another way to be ready");
  }
}

void read_signal(const Section& section, int& signal) {
  std::string text = "TERM";
  section.take("signal", &View::filled, text);
  if (const auto number = parse_signal(text))
    signal = *number;
  else
    section.at("signal")->mistake(fmt::format("no signal has the name '{}'{}", text,
                                              evidence::did_you_mean(text, signal_names())),
                                  "write TERM, INT, QUIT, HUP, or a number");
}

}  // namespace

void read_ready(const View& view, const Names& names, Readiness& ready) {
  const Section section(view, {"ready"});
  read_ready_target(section, section.one_of({"http", "tcp", "unix", "exec", "notify"}), names,
                    ready);
  section.take("timeout", &View::duration, ready.timeout);
  if (ready.timeout.count() == 0)
    section.at("timeout")->mistake("subject.ready.timeout is 0", "write a duration: 30s");
}

void read_stop(const View& view, const Names& names, Stop& stop) {
  const Section section(view.in(names.none), {"stop"});
  read_signal(section, stop.signal);
  section.take("grace", &View::duration, stop.grace);
}

}  // namespace telltale::subject
