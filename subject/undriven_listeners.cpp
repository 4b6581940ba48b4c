#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "subject/doors/ports.hpp"
#include "subject/driver.hpp"
#include "subject/wire/url.hpp"

namespace telltale::subject {

namespace {

// What the file asks, by any door or the readiness check. What cannot be expanded (a captured value
// that is not there) asks nothing.
class Asked {
 public:
  explicit Asked(Launch& launch) : launch_(launch) {}

  void add_url(const std::string& written) {
    const auto text = launch_.variables().expand(written);
    if (!text) return;
    const auto url = parse_url(*text);
    if (url) ports_.insert(url->port);
  }
  void add_port(const std::string& written) {
    const auto port = port_number(written, launch_.variables());
    if (port) ports_.insert(*port);
  }
  void add_path(const std::string& written) {
    const auto path = launch_.variables().expand(written);
    if (path) paths_.insert(absolute(*path));
  }
  [[nodiscard]] bool covers(const ListeningSocket& socket) const {
    if (socket.port == 0) return paths_.count(absolute(socket.address)) != 0;
    return !socket.udp && ports_.count(socket.port) != 0;
  }

 private:
  // A path may be bound relative to the subject's folder; @name stays what it is.
  [[nodiscard]] std::string absolute(const std::string& path) const {
    if (path.starts_with('@')) return path;
    return (launch_.folder() / path).lexically_normal().string();
  }

  Launch& launch_;
  std::set<std::uint16_t> ports_;
  std::set<std::string> paths_;
};

struct AddCall {
  Asked& asked;
  void operator()(const HttpCall& call) const { asked.add_url(call.url); }
  void operator()(const McpCall& call) const { asked.add_url(call.url); }
  void operator()(const TcpCall& call) const { asked.add_port(call.port); }
  void operator()(const UnixCall& call) const { asked.add_path(call.path); }
  void operator()(const PageCall& call) const { asked.add_url(call.url); }
  // What a command talks to is its own affair; a port of the file in its arguments says one.
  void operator()(const ExecCall& call) const {
    for (const auto& argument : call.command)
      for (const auto& name : names_in(argument))
        if (name.starts_with("port.")) asked.add_port("${" + name + "}");
  }
};

Asked asked_by(const Specification& specification, Launch& launch) {
  Asked asked(launch);
  for (const auto& door : specification.doors) std::visit(AddCall{asked}, door.call);
  const auto& ready = specification.ready;
  if (ready.kind == Readiness::Kind::http) asked.add_url(ready.target);
  if (ready.kind == Readiness::Kind::tcp) asked.add_port(ready.target);
  if (ready.kind == Readiness::Kind::unix_socket) asked.add_path(ready.target);
  return asked;
}

// Written as the file would write it: ports and the work folder differ from launch to launch, and a
// waiver must not.
class Written {
 public:
  Written(const Specification& specification, Launch& launch) : work_(launch.work().string()) {
    for (const auto& name : specification.ports)
      if (const auto* value = launch.variables().find("port." + name))
        ports_.emplace(*value, "${port." + name + "}");
  }

  [[nodiscard]] std::string port(std::uint16_t number) const {
    const auto known = ports_.find(fmt::format("{}", number));
    return known == ports_.end() ? fmt::format("{}", number) : known->second;
  }

  [[nodiscard]] std::string path(std::string path) const {
    if (!work_.empty() && path.starts_with(work_)) path.replace(0, work_.size(), "${work}");
    for (const auto& [number, name] : ports_)
      if (const auto at = path.find(number); at != std::string::npos)
        path.replace(at, number.size(), name);
    return path;
  }

 private:
  std::string work_;
  std::map<std::string, std::string> ports_;  // number -> "${port.NAME}"
};

std::string key_of(const ListeningSocket& socket, const Written& written) {
  return "listener:" +
         (socket.port == 0 ? written.path(socket.address) : written.port(socket.port));
}

std::string name_of(const ListeningSocket& socket, const Written& written) {
  if (socket.port == 0) return written.path(socket.address);
  const bool six = socket.address.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}{}", six ? "[" : "", socket.address, six ? "]" : "", socket.port,
                     socket.udp ? " (UDP)" : "");
}

}  // namespace

std::vector<evidence::Unexamined> undriven_listeners(const Specification& specification,
                                                     Launch& launch,
                                                     const std::vector<ListeningSocket>& seen) {
  const Asked asked = asked_by(specification, launch);
  const Written written(specification, launch);
  // One entry a key, whatever the number of addresses and processes: a waiver covers them all.
  std::map<std::string, std::vector<std::string>> names;
  auto sockets = launch.listeners();
  sockets.insert(sockets.end(), seen.begin(), seen.end());
  for (const auto& socket : sockets) {
    if (asked.covers(socket)) continue;
    auto& all = names[key_of(socket, written)];
    auto name = fmt::format("{} ({})", name_of(socket, written), socket.executable);
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(std::move(name));
  }
  std::vector<evidence::Unexamined> unexamined;
  for (const auto& [key, all] : names)
    unexamined.push_back({key,
                          fmt::format("{} {} never asked", fmt::join(all, " and "),
                                      all.size() == 1 ? "was" : "were"),
                          {}});
  return unexamined;
}

}  // namespace telltale::subject
