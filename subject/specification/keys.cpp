#include "subject/specification/keys.hpp"

#include <fmt/core.h>

namespace telltale::subject {

std::string KeyRow::path() const {
  return shape == "file" ? std::string(key) : fmt::format("{}.{}", shape, key);
}

const std::vector<Shape>& specification_shapes() {
  static const std::vector<Shape> shapes = {
      {"file", "the file itself"},
      {"subject", "`subject`"},
      {"build", "`subject.build`, `cipher.builds[].build`"},
      {"ready", "`subject.ready`, `egress.companions[].ready`; one of the five ways"},
      {"stop", "`subject.stop`, `egress.companions[].stop`"},
      {"setup", "`subject.setup[]`, `egress.companions[].setup[]`"},
      {"door", "`doors[]`; one of the six kinds"},
      {"step", "`cipher.write[]`, `cipher.read[]`; one of the five kinds"},
      {"http", "`http`, also inside `unix`"},
      {"mcp", "`mcp`; either `url` or `command`"},
      {"tcp", "`tcp`"},
      {"unix", "`unix`; either `send` or `http`"},
      {"exec", "`exec`; the command alone may be written as a list"},
      {"expect", "`expect`; all that is given must hold"},
      {"difference", "`phases.NAME`, `egress.control`, `cipher.keyed`, `cipher.control`"},
      {"decrypt", "`cipher.control` only"},
      {"waiver", "`waive[]`"},
      {"egress", "`egress`"},
      {"allow", "`egress.allow[]`"},
      {"answer", "`egress.answers[]`; either `host` or `replay`"},
      {"companion", "`egress.companions[]`"},
      {"self", "`self`"},
      {"modules", "`self.modules`"},
      {"cipher", "`cipher`"},
      {"variant", "`cipher.builds[]`; either `binary` or `build`"},
  };
  return shapes;
}

namespace {

constexpr const char* kRequired = "required";

// Rows that a door, a step and a set-up step have in common are written once.
void add_step_rows(std::vector<KeyRow>& rows, std::string_view shape, bool only_exec) {
  if (!only_exec) {
    rows.push_back({shape, "http", "map (http)", "", "A request by HTTP or HTTPS."});
    rows.push_back({shape, "mcp", "map (mcp)", "", "A call by the Model Context Protocol."});
    rows.push_back({shape, "tcp", "map (tcp)", "", "Bytes over TCP."});
    rows.push_back({shape, "unix", "map (unix)", "", "Bytes or HTTP over a unix socket."});
  }
  rows.push_back({shape, "exec", "list of texts, or map (exec)", only_exec ? kRequired : "",
                  "A command, run with the subject's environment, folder and user."});
  if (shape == "door")
    rows.push_back({shape, "page", "URL", "",
                    "A page, opened in Chromium with all that it loads; egress, sealed, only."});
  rows.push_back({shape, "expect", "map (expect)", "",
                  "What the answer must be. Without `status`, HTTP must be 2xx and a command exit "
                  "with 0; MCP must give a result."});
  rows.push_back({shape, "capture", "map of texts", "",
                  "Variable name to JSON pointer into the answer; later steps use ${NAME}."});
}

std::vector<KeyRow> make_rows() {
  std::vector<KeyRow> rows = {
      {"file", "version", "number", kRequired, "Version of this format: 1."},
      {"file", "subject", "map (subject)", kRequired, "The program under audit."},
      {"file", "doors", "list of maps (door)", "",
       "Ways to call the subject, in order; what another process answers is a failed call."},
      {"file", "phases", "map of maps (difference)", "",
       "Starts for doors that exclude each other, by name; the first door is measured in each."},
      {"file", "waive", "list of maps (waiver)", "",
       "What blocks CLEAN and is meant to be so, for every lane."},
      {"file", "egress", "map (egress)", "lane not described",
       "What it tries to send off the machine."},
      {"file", "self", "map (self)", "lane not described",
       "Whether anyone can fetch, build and start it."},
      {"file", "cipher", "map (cipher)", "lane not described",
       "Whether what was written is readable on the disk."},

      {"subject", "name", "text", kRequired, "Names the evidence; no slash."},
      {"subject", "source", "path", "",
       "Its source folder, from the folder of this file; printed with remote and commit, never "
       "cloned."},
      {"subject", "build", "map (build)", "", "How to build it; needs `source`."},
      {"subject", "binary", "path", "the build's output",
       "The program itself, from the folder of this file; ${binary}."},
      {"subject", "user", "text", "whoever runs the tool",
       "Run as; for programs that refuse root."},
      {"subject", "setup", "list of maps (setup)", "", "Commands before each start."},
      {"subject", "command", "list of texts", "required by doors, egress and cipher",
       "Program and arguments."},
      {"subject", "env", "map of texts", "", "Environment, on top of a minimal one."},
      {"subject", "secrets", "map of texts", "",
       "Environment whose values are masked everywhere but in raw/."},
      {"subject", "files", "map of texts", "", "Files written into ${work}: name to content."},
      {"subject", "home", "fresh or overlay", "fresh",
       "An empty HOME. `overlay`: your own, and with it your files everywhere, in a copy-on-write "
       "view "
       "that is thrown away; what was written is listed. Only egress has it, in the sealed world."},
      {"subject", "ports", "list of names", "", "Free ports, chosen by the kernel; ${port.NAME}."},
      {"subject", "ready", "map (ready)", "required by doors and steps that connect",
       "How readiness is seen."},
      {"subject", "stop", "map (stop)", "TERM, 10s", "How it is stopped."},

      {"build", "command", "list of texts", kRequired,
       "Run once in the source folder; knows ${source} only."},
      {"build", "output", "path", kRequired, "The program it makes, from the source folder."},

      {"ready", "http", "URL", "", "Ready when it answers 2xx."},
      {"ready", "tcp", "name of a port, or number", "", "Ready when it can be connected to."},
      {"ready", "unix", "path", "", "Ready when this socket can be connected to."},
      {"ready", "exec", "list of texts", "", "Ready when this command exits with status 0."},
      {"ready", "notify", "true", "", "Ready when it says so by sd_notify(3)."},
      {"ready", "timeout", "duration", "30s", "Never ready after this long."},

      {"stop", "signal", "name or number of a signal", "TERM", "Asks it to stop."},
      {"stop", "grace", "duration", "10s", "Killed when it still runs after this long."},

      {"setup", "name", "text", "setup N", "Names the step in messages."},
      {"door", "name", "text", kRequired, "Names the door; each name once."},
  };
  add_step_rows(rows, "setup", true);
  add_step_rows(rows, "door", false);
  const std::vector<KeyRow> rest = {
      {"door", "once", "true or false", "false",
       "Called once before the rounds, as a login is, and not in them."},
      {"door", "phase", "name of a phase", "every phase", "The only phase it is called in."},
      {"step", "name", "text", "write N, read N", "Names the step in messages."},
  };
  rows.insert(rows.end(), rest.begin(), rest.end());
  add_step_rows(rows, "step", false);
  const std::vector<KeyRow> calls = {
      {"http", "method", "text", "GET", "In capitals."},
      {"http", "url", "URL", kRequired, "Inside `unix`, the path alone: /v1/notes."},
      {"http", "headers", "map of texts", "", "Sent as written."},
      {"http", "json", "any value", "",
       "Sent as JSON; texts inside may hold variables. Not with `body`."},
      {"http", "body", "text", "", "Sent as it is. Not with `json`."},

      {"mcp", "url", "URL", "", "Streamable HTTP."},
      {"mcp", "command", "list of texts", "", "A server on standard input and output."},
      {"mcp", "headers", "map of texts", "", "With `url`."},
      {"mcp", "call", "text", kRequired, "The method: tools/list, tools/call."},
      {"mcp", "params", "map", "", "Its parameters, as JSON."},

      {"tcp", "port", "name of a port, or number", kRequired, "On 127.0.0.1."},
      {"tcp", "send", "text", "",
       "Sent after connecting; \"\\r\\n\" in double quotes ends a line."},

      {"unix", "path", "path", kRequired, "The socket."},
      {"unix", "send", "text", "", "Sent after connecting."},
      {"unix", "http", "map (http)", "", "HTTP over it."},

      {"exec", "command", "list of texts", kRequired, "Program and arguments."},
      {"exec", "stdin", "text", "empty", "Its standard input."},

      {"expect", "status", "number", "", "HTTP status, or exit status of a command."},
      {"expect", "starts_with", "text", "", "How the answer begins."},
      {"expect", "contains", "text", "", "What is somewhere in it."},
      {"expect", "equals", "text", "", "All of it."},

      {"difference", "command", "list of texts", "", "In place of the subject's."},
      {"difference", "env", "map of texts", "", "On top of the subject's."},
      {"difference", "secrets", "map of texts", "", "On top of the subject's."},
      {"difference", "files", "map of texts", "", "On top of the subject's."},
      {"decrypt", "decrypt", "list of texts", "",
       "A command that gives the canaries back in clear, in place of an unencrypted run."},

      {"waiver", "what", "text", kRequired,
       "As the report names it: listener:9000, file:${work}/pid, modules."},
      {"waiver", "reason", "text", kRequired, "Printed beside it."},
      {"waiver", "until", "date", "", "The last day it holds, YYYY-MM-DD."},

      {"egress", "launches", "number, 1 to 20", "2",
       "Starts that share one HOME, without proxy variables; sealed, one more has them."},
      {"egress", "rounds", "number, from 1", "20", "Each calls every door once."},
      {"egress", "window", "duration", "12s", "Watched at least this long, from readiness."},
      {"egress", "read_tls", "true or false", "false",
       "One launch more, in which a CA of this run is given to it and TLS is read."},
      {"egress", "control", "map (difference)", "",
       "The same program with its upstream on: it must be seen."},
      {"egress", "allow", "list of maps (allow)", "", "Destinations that are listed, not counted."},
      {"egress", "answers", "list of maps (answer)", "",
       "What servers outside would answer, played inside; the request stays an attempt."},
      {"egress", "companions", "list of maps (companion)", "",
       "Services that the subject needs, started beside it in the sealed world."},

      {"allow", "host", "host, or host:port", kRequired, "The destination."},
      {"allow", "reason", "text", kRequired, "Printed beside it."},
      {"allow", "until", "date", kRequired, "The last day it holds, YYYY-MM-DD."},

      {"answer", "host", "name or address", "", "Of the server; a login server, a licence server."},
      {"answer", "port", "number, 1 to 65535", "every port", "Of the server."},
      {"answer", "method", "text", "every method", "In capitals."},
      {"answer", "path", "path", "every path",
       "Without the query; `*` stands for any characters but a slash, `**` for any."},
      {"answer", "status", "number, 200 to 599", "200", "HTTP status."},
      {"answer", "headers", "map of texts", "", "Sent as written."},
      {"answer", "body", "text", "empty", "Sent as it is."},
      {"answer", "replay", "path", "",
       "An HTTP archive (HAR), from the folder of this file: the answers in it."},

      {"companion", "name", "text", kRequired, "Names it in the report; each name once."},
      {"companion", "answers", "host:port", kRequired,
       "The name and port that the subject asks for."},
      {"companion", "user", "text", "whoever runs the tool", "Run as; PostgreSQL refuses root."},
      {"companion", "setup", "list of maps (setup)", "", "Commands before each start: initdb."},
      {"companion", "command", "list of texts", kRequired,
       "Program and arguments; it listens on ${address}, port ${port}."},
      {"companion", "env", "map of texts", "", "Environment, on top of a minimal one."},
      {"companion", "secrets", "map of texts", "",
       "Environment whose values are masked everywhere but in raw/."},
      {"companion", "files", "map of texts", "", "Files written into its ${work}."},
      {"companion", "ready", "map (ready)", "its port can be connected to",
       "How readiness is seen; the subject starts afterwards."},
      {"companion", "stop", "map (stop)", "TERM, 10s", "How it is stopped."},

      {"self", "modules", "map (modules)", "", "Where its list of modules is."},
      {"self", "openapi", "URL", "", "Its OpenAPI document."},
      {"self", "calls", "number, from 1", "200", "Calls per door and sample, in three samples."},

      {"modules", "from", "text", kRequired,
       "binary, or the name of a lockfile in the source folder."},

      {"cipher", "data", "list of paths", "${data}", "Folders that are searched."},
      {"cipher", "write", "list of maps (step)", kRequired,
       "Writes the canaries, ${canary.1} and on; use two doors or more."},
      {"cipher", "read", "list of maps (step)", "", "Must give the canaries back before the stop."},
      {"cipher", "keyed", "map (difference)", "", "The encrypted run."},
      {"cipher", "control", "map (difference, decrypt)", "",
       "The same program, deliberately unencrypted: its canaries must be found."},
      {"cipher", "builds", "list of maps (variant)", "", "Variants, searched one row each."},

      {"variant", "name", "text", kRequired, "Names the row; each name once."},
      {"variant", "binary", "path", "", "Built already; from the folder of this file."},
      {"variant", "build", "map (build)", "", "Built by the tool."},
  };
  rows.insert(rows.end(), calls.begin(), calls.end());
  return rows;
}

}  // namespace

const std::vector<KeyRow>& specification_keys() {
  static const auto rows = make_rows();
  return rows;
}

std::string specification_keys_markdown() {
  std::string page;
  for (const auto& shape : specification_shapes()) {
    page += fmt::format("{}**{}**: {}\n\n", page.empty() ? "" : "\n", shape.name, shape.where);
    page += "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const auto& row : specification_keys())
      if (row.shape == shape.name)
        page +=
            fmt::format("| `{}` | {} | {} | {} |\n", row.key, row.type, row.fallback, row.meaning);
  }
  return page;
}

}  // namespace telltale::subject
