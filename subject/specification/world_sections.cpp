// `egress: answers:` and `egress: companions:`: what stands around the subject in the sealed world.
#include <arpa/inet.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "subject/specification/calls.hpp"
#include "subject/specification/sections.hpp"
#include "subject/specification/steps.hpp"
#include "subject/specification/values.hpp"

namespace telltale::subject {

namespace {

// What the world gives to every companion, beside the folders and the key of a launch.
const std::vector<std::string> kCompanionNames = {"work", "data",    "home", "tmp",
                                                  "key",  "address", "port"};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

bool is_address(const std::string& host) {
  in6_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool is_host(const std::string& host) {
  return is_address(host) || host.find_first_of("/:@ \t") == std::string::npos;
}

// The escape `$${` is one here too, though no variable is known.
std::string unescaped(std::string text) {
  for (auto at = text.find("$${"); at != text.npos; at = text.find("$${", at + 1))
    text.erase(at, 1);
  return text;
}

// RFC 9110, 5.1 and 5.5: a token, and a value of one line.
void check_headers(const Section& section, Pairs& headers) {
  const auto map = section.at("headers");
  if (!map) return;
  for (auto& [name, value] : headers) {
    value = unescaped(value);
    const auto* entry = map->node().find(name);
    if (name.empty() || name.find_first_of(": \t\r\n") != std::string::npos ||
        value.find_first_of("\r\n") != std::string::npos)
      map->mistakes().add({entry == nullptr ? map->place() : entry->place,
                           fmt::format("'{}' is no header field of one line", name),
                           "write Name: value; the body stands under body:"});
  }
}

void read_played(const Section& section, AnswerEntry& answer) {
  section.take("host", &View::filled, answer.host);
  answer.host = lower(answer.host);
  if (!answer.host.empty() && !is_host(answer.host))
    section.at("host")->mistake(fmt::format("'{}' is no host", answer.host),
                                "write the name alone: idp.example; a port stands under port:");
  section.take_whole("port", 1, 65535, answer.port);
  read_method(section, answer.method);
  section.take("path", &View::filled, answer.path);
  answer.path = unescaped(answer.path);
  if (!answer.path.empty() && answer.path.front() != '/')
    section.at("path")->mistake(fmt::format("'{}' is no path", answer.path),
                                "it begins with a slash: /token");
  section.take_whole("status", 200, 599, answer.status);
  section.take("headers", &View::pairs, answer.headers);
  check_headers(section, answer.headers);
  section.take("body", &View::text, answer.body);
  answer.body = unescaped(answer.body);
}

AnswerEntry read_answer(const View& view, const std::filesystem::path& folder) {
  const Section section(view, {"answer"});
  AnswerEntry answer;
  answer.where = view.place();
  if (section.one_of({"host", "replay"}) != "replay") {
    read_played(section, answer);
    return answer;
  }
  std::string replay;
  section.take("replay", &View::filled, replay);
  answer.replay = (folder / replay).lexically_normal();
  if (view.node().entries.size() > 1)
    view.mistake(fmt::format("{}.replay stands with other keys", view.path()),
                 "the archive says host, path and answer; write it alone");
  return answer;
}

// "db.internal:5432"
void read_answered_place(const Section& section, Companion& companion) {
  std::string text;
  section.take("answers", &View::filled, text);
  if (text.empty()) return;
  const auto colon = text.rfind(':');
  const auto port =
      colon == text.npos ? std::nullopt : parse_whole(std::string_view(text).substr(colon + 1));
  companion.host = lower(text.substr(0, colon));
  const bool named =
      is_host(companion.host) && !is_address(companion.host) && companion.host != "localhost";
  if (named && !companion.host.empty() && port && *port >= 1 && *port <= 65535)
    companion.port = *port;
  else
    section.at("answers")->mistake(fmt::format("'{}' is no name and port", text),
                                   "write what the subject asks for: db.internal:5432");
}

Companion read_companion(const View& view, const Names& file_names) {
  Names names = file_names;
  names.ports.clear();
  names.setup.clear();
  names.launch = Scope(kCompanionNames);
  const Section section(view.in(names.launch), {"companion"});
  Companion companion;
  companion.where = view.place();
  section.take("name", names.none, &View::filled, companion.name);
  read_answered_place(section, companion);
  section.take("user", names.none, &View::filled, companion.user);
  companion.setup = read_steps(section, {"setup", "setup"}, names.launch, names, names.setup);
  section.take("command", &View::argv, companion.command);
  read_environment(section, companion.env, companion.secrets);
  read_files(section, companion.files);
  if (const auto ready = section.at("ready")) read_ready(*ready, names, companion.ready);
  if (const auto stop = section.at("stop")) read_stop(*stop, names, companion.stop);
  return companion;
}

}  // namespace

void read_answers(const Section& egress, const Names& names, const std::filesystem::path& folder,
                  std::vector<AnswerEntry>& answers) {
  for (const auto& view : egress.items("answers"))
    answers.push_back(read_answer(view.in(names.none), folder));
}

void read_companions(const Section& egress, const Names& names,
                     std::vector<Companion>& companions) {
  std::set<std::string> seen;
  for (const auto& view : egress.items("companions")) {
    auto companion = read_companion(view, names);
    if (!companion.name.empty() && !seen.insert(companion.name).second)
      view.mistake(fmt::format("the companion '{}' is given twice", companion.name),
                   "give each its own name");
    companions.push_back(std::move(companion));
  }
}

}  // namespace telltale::subject
