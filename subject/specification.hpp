// subject.yaml as the tools read it (DESIGN section 3; README.md documents every key).
//
// Text that may hold `${...}` is kept as written; variables.hpp expands it when a launch knows its
// ports, folders, key and canaries. Every step and every named thing keeps the place it was written
// at, so that a later error can still say file:line:column.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evidence/result.hpp"

namespace telltale::subject {

struct Place {
  int line = 0;    // from 1; 0: not from a file
  int column = 0;  // from 1
};

using Argv = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;  // in the order written
using Milliseconds = std::chrono::milliseconds;

struct HttpCall {
  std::string method = "GET";
  std::string url;  // http:// or https://; over a unix socket only the path
  Pairs headers;
  // One of the two, or none. Strings inside `json` are expanded each by itself, so a value with a
  // quote in it stays valid JSON.
  std::shared_ptr<const nlohmann::json> json;
  std::optional<std::string> body;
};

struct McpCall {
  std::string url;   // streamable HTTP; or
  Argv command;      // stdio; exactly one of the two
  Pairs headers;     // of HTTP
  std::string call;  // the method, "tools/list"; or "tools/call"
  std::shared_ptr<const nlohmann::json> params;
};

struct TcpCall {
  std::string port;  // a name of `ports:` or a number
  std::string send;
};

struct UnixCall {
  std::string path;
  std::string send;              // raw; or
  std::optional<HttpCall> http;  // HTTP over the socket
};

struct ExecCall {
  Argv command;
  std::optional<std::string> stdin_text;
};

// A page, opened in a browser with all that it loads; in the sealed world only. Doors only.
struct PageCall {
  std::string url;  // http:// or https://
};

using Call = std::variant<HttpCall, McpCall, TcpCall, UnixCall, ExecCall, PageCall>;

// What an answer must be. All that is given must hold. Unless `status` is given, HTTP and pages
// want 2xx and a command exit status 0, whatever text is expected; MCP always wants a result. With
// nothing given, raw sockets want at least one byte.
struct Expectation {
  std::optional<int> status;  // HTTP status or exit status
  std::optional<std::string> starts_with;
  std::optional<std::string> contains;
  std::optional<std::string> equals;
};

struct Step {
  std::string name;  // "login"; "write 1" when none was given
  Call call;
  Expectation expect;
  // Variable name -> JSON pointer into the answer; later steps use ${name}.
  std::map<std::string, std::string> capture;
  bool once = false;  // called once before the rounds, not in them
  std::string phase;  // empty: every phase
  Place where;
};

// What differs from the plain start in one launch: keyed, control, a phase, an egress control.
struct Difference {
  Argv command;  // empty: as it is
  Pairs env;
  Pairs secrets;
  Pairs files;
  Argv decrypt;  // cipher control only: a command that gives the canary back in clear
};

struct Build {
  Argv command;
  std::filesystem::path output;  // relative to the source folder
};

struct Readiness {
  enum class Kind { none, http, tcp, unix_socket, exec, notify };
  Kind kind = Kind::none;
  std::string target;  // URL, port name or number, path
  Argv command;        // exec: ready at exit status 0
  Milliseconds timeout{30'000};
  std::string address{};  // of tcp, numeric; empty: this machine's own
};

struct Stop {
  int signal = 15;
  Milliseconds grace{10'000};  // then SIGKILL
};

struct WaiverEntry {
  std::string what;
  std::string reason;
  std::string until;  // YYYY-MM-DD or empty
  Place where;
};

// An answer that is played inside the sealed world to a request that leads out of it. Texts are
// literal: no launch is known yet.
struct AnswerEntry {
  std::string host;    // a name in lower case, or a numeric address; empty: `replay`
  int port = 0;        // 0: any
  std::string method;  // empty: any
  std::string path;    // without the query; empty: any; `*` and `**` as in waivers
  int status = 200;
  Pairs headers;
  std::string body;
  std::filesystem::path replay;  // absolute: an HTTP archive, whose answers are played
  Place where;
};

// A service that the subject needs: another program, in the same sealed world.
struct Companion {
  std::string name;
  std::string host;  // the name that the subject asks for, in lower case
  int port = 0;      // where it answers
  std::string user;
  std::vector<Step> setup;
  Argv command;
  Pairs env;
  Pairs secrets;
  Pairs files;
  Readiness ready;  // none was given: when `port` can be connected to
  Stop stop;
  Place where;
};

struct EgressSettings {
  int launches = 2;
  int rounds = 20;
  Milliseconds window{12'000};  // from readiness, at least
  bool read_tls = false;        // one launch more, in which TLS is read
  std::optional<Difference> control;
  std::vector<WaiverEntry> allow;  // what: host or host:port
  std::vector<AnswerEntry> answers;
  std::vector<Companion> companions;
};

struct SelfSettings {
  std::string modules_from;  // "binary", "go.mod", ...; empty: none given
  std::string openapi;       // URL of the document; empty: none
  int calls = 200;           // per door and sample
};

struct Variant {
  std::string name;
  std::filesystem::path binary;  // given; or
  std::optional<Build> build;    // built
  Place where;
};

struct CipherSettings {
  std::vector<std::string> data;  // folders
  int canaries = 0;               // the highest N of ${canary.N} that a write step names
  std::vector<Step> write;
  std::vector<Step> read;
  std::optional<Difference> keyed;
  std::optional<Difference> control;
  std::vector<Variant> builds;
};

enum class Home { fresh, overlay };

struct Specification {
  std::filesystem::path file;    // absolute; errors name it
  std::filesystem::path folder;  // of the file; relative paths start here

  std::string name;
  std::filesystem::path source;  // absolute
  std::optional<Build> build;
  std::filesystem::path binary;  // `binary:`, or the build's output; empty: argv[0] says it
  std::string user;              // empty: as the tool
  std::vector<Step> setup;       // exec steps
  Argv command;
  Pairs env;
  Pairs secrets;
  Pairs files;  // name below ${work} -> content
  Home home = Home::fresh;
  std::vector<std::string> ports;
  Readiness ready;
  Stop stop;

  std::vector<Step> doors;
  std::map<std::string, Difference> phases;
  std::vector<WaiverEntry> waive;

  std::optional<EgressSettings> egress;  // absent: the file does not describe the lane
  std::optional<SelfSettings> self;
  std::optional<CipherSettings> cipher;
};

// Reads and checks the whole file. Every mistake is Fault::input and says file:line:column, what is
// wrong and the nearest right key or value; the first one ends the reading.
[[nodiscard]] Result<Specification> load_specification(const std::filesystem::path& file);

}  // namespace telltale::subject
