#include "subject/specification.hpp"

#include <csignal>
#include <nlohmann/json.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::subject;
using telltale::test::read_file;
using telltale::test::TemporaryFolder;

namespace {

const std::filesystem::path kExamples = std::filesystem::path(TELLTALE_FIXTURES) / "subject.yaml";

Result<Specification> load_text(const std::string& text) {
  const TemporaryFolder folder;
  return load_specification(folder.write("subject.yaml", text));
}

// The error without the folder in front.
std::string load_mistake(const std::string& text) {
  const auto result = load_text(text);
  if (result) return "no mistake";
  const auto& what = result.error().what;
  return what.substr(what.find("subject.yaml"));
}

const Specification& full() {
  static const auto specification = load_specification(kExamples / "full.yaml").value();
  return specification;
}

template <class T>
const T& call_of(const std::vector<Step>& steps, std::size_t index) {
  return std::get<T>(steps.at(index).call);
}

}  // namespace

TEST_CASE("the subject of the full example is read") {
  const auto& s = full();
  CHECK(s.file == kExamples / "full.yaml");
  CHECK(s.folder == kExamples);
  CHECK(s.name == "notes");
  CHECK(s.source == kExamples);
  REQUIRE(s.build);
  CHECK(s.build->command == Argv{"make", "notes", "SOURCE=${source}"});
  CHECK(s.build->output == "build/notes");
  CHECK(s.binary == kExamples / "build/notes");
  CHECK(s.user == "nobody");
  CHECK(s.command == Argv{"${binary}", "serve", "--port", "${port.api}", "--workers", "2"});
  CHECK(s.env == Pairs{{"NOTES_LISTEN", "127.0.0.1:${port.api}"},
                       {"NOTES_DATA", "${data}"},
                       {"NOTES_RETRIES", "3"},
                       {"NOTES_VERBOSE", "false"},
                       {"NOTES_TEMPLATE", "$${literal}"}});
  CHECK(s.secrets == Pairs{{"NOTES_KEY", "${key}"}});
  REQUIRE(s.files.size() == 2);
  CHECK(s.files[0].second == "listen = '127.0.0.1:${port.api}'\ncache = '${tmp}/cache'\n");
  CHECK(s.files[1] == std::pair<std::string, std::string>("etc/empty.conf", ""));
  CHECK(s.home == Home::fresh);
  CHECK(s.ports == std::vector<std::string>{"api", "health"});
  CHECK(s.ready.kind == Readiness::Kind::http);
  CHECK(s.ready.target == "http://127.0.0.1:${port.health}/healthz");
  CHECK(s.ready.timeout == Milliseconds(30'000));
  CHECK(s.stop.signal == SIGTERM);
  CHECK(s.stop.grace == Milliseconds(1'500));
}

TEST_CASE("the steps of the full example are read") {
  const auto& s = full();
  REQUIRE(s.setup.size() == 2);
  CHECK(s.setup[0].name == "make the store");
  CHECK(s.setup[1].name == "setup 2");
  CHECK(call_of<ExecCall>(s.setup, 0).command == Argv{"notesctl", "init", "${data}"});
  CHECK(call_of<ExecCall>(s.setup, 1).stdin_text == "a secret\n");
  CHECK(s.setup[1].expect.status == 0);
  CHECK(s.setup[1].expect.contains == "created");

  REQUIRE(s.doors.size() == 10);
  const auto& login = call_of<HttpCall>(s.doors, 0);
  CHECK(login.method == "POST");
  CHECK(
      login.json->dump() ==
      R"({"nothing":null,"of":[1,"x"],"quoted":"3","remember":true,"share":0.5,"tries":3,"user":"a"})");
  CHECK(s.doors[0].capture == std::map<std::string, std::string>{{"token", "/access_token"}});
  CHECK(s.doors[0].once);
  CHECK(s.doors[0].where.line == 36);
  CHECK(s.doors[0].where.column == 5);
  CHECK(call_of<HttpCall>(s.doors, 1).headers ==
        Pairs{{"Authorization", "Bearer ${token}"}, {"X-Admin", "${admin}"}});
  CHECK(call_of<HttpCall>(s.doors, 1).method == "GET");
  CHECK_FALSE(call_of<HttpCall>(s.doors, 1).json);
  CHECK(s.doors[1].expect.status == 200);
  CHECK_FALSE(s.doors[1].once);
  CHECK(call_of<HttpCall>(s.doors, 2).body == "a=1");
  CHECK(s.doors[2].expect.equals == "ok");
  CHECK(call_of<McpCall>(s.doors, 3).params->at("arguments").at("body") == "x");
  CHECK(call_of<McpCall>(s.doors, 3).call == "tools/call");
  CHECK(call_of<McpCall>(s.doors, 4).command == Argv{"${binary}", "mcp"});
  CHECK(call_of<ExecCall>(s.doors, 5).stdin_text == "");
  CHECK(call_of<TcpCall>(s.doors, 6).port == "api");
  CHECK(call_of<TcpCall>(s.doors, 6).send == "PING\r\n");
  CHECK(s.doors[6].expect.starts_with == "+PONG");
  CHECK(call_of<UnixCall>(s.doors, 7).http->url == "/v1/notes");
  CHECK(s.doors[7].phase == "socket");
  CHECK(call_of<UnixCall>(s.doors, 8).send == "PING\n");
  CHECK(call_of<PageCall>(s.doors, 9).url == "http://127.0.0.1:${port.api}/");
  CHECK(s.doors[9].expect.contains == "</html>");
}

TEST_CASE("the lanes of the full example are read") {
  const auto& s = full();
  REQUIRE(s.phases.count("socket") == 1);
  CHECK(s.phases.at("socket").env == Pairs{{"NOTES_SOCKET", "${work}/s.sock"}});
  CHECK(s.phases.at("socket").command.size() == 4);
  REQUIRE(s.waive.size() == 3);
  CHECK(s.waive[0].what == "listener:9000");
  CHECK(s.waive[0].reason == "metrics, asked by the health probe");
  CHECK(s.waive[0].until == "2027-06-30");
  CHECK(s.waive[1].until.empty());

  REQUIRE(s.egress);
  CHECK(s.egress->launches == 2);
  CHECK(s.egress->window == Milliseconds(12'000));
  CHECK(s.egress->control->env.front().first == "NOTES_UPSTREAM");
  CHECK(s.egress->allow.at(1).what == "mirror.example.com:443");

  REQUIRE(s.egress->answers.size() == 3);
  const auto& answer = s.egress->answers[0];
  CHECK(answer.host == "idp.example");
  CHECK(answer.port == 80);
  CHECK(answer.method == "POST");
  CHECK(answer.path == "/token");
  CHECK(answer.status == 201);
  CHECK(answer.headers == Pairs{{"Content-Type", "application/json"}});
  CHECK(answer.body == R"({"access_token": "a", "price": "${5}"})");
  CHECK(s.egress->answers[1].host == "2001:db8::1");
  CHECK(s.egress->answers[2].replay == kExamples / "recorded/licence.har");
  REQUIRE(s.egress->companions.size() == 2);
  const auto& db = s.egress->companions[0];
  CHECK(db.name == "db");
  CHECK(db.host == "db.internal");
  CHECK(db.port == 5432);
  CHECK(db.user == "nobody");
  CHECK(db.setup.at(0).capture.count("system") == 1);
  CHECK(db.command.at(4) == "${address}");
  CHECK(db.env == Pairs{{"PGTZ", "UTC"}});
  CHECK(db.secrets == Pairs{{"PGKEY", "${key}"}});
  CHECK(db.files.size() == 1);
  CHECK(db.ready.target == "5432");
  CHECK(db.stop.signal == SIGINT);
  CHECK(s.egress->companions[1].ready.kind == Readiness::Kind::none);

  REQUIRE(s.self);
  CHECK(s.self->modules_from == "binary");
  CHECK(s.self->openapi == "http://127.0.0.1:${port.api}/openapi.json");
  CHECK(s.self->calls == 200);

  REQUIRE(s.cipher);
  CHECK(s.cipher->data == std::vector<std::string>{"${data}", "${home}/.notes"});
  REQUIRE(s.cipher->write.size() == 5);
  CHECK(s.cipher->canaries == 3);
  CHECK(s.cipher->write[0].name == "write 1");
  CHECK(s.cipher->write[1].name == "by the command line");
  CHECK(s.cipher->read.at(0).name == "read 1");
  CHECK(s.cipher->keyed->secrets.front().first == "NOTES_EXTRA_KEY");
  CHECK(s.cipher->control->decrypt == Argv{"notesctl", "dump", "${data}"});
  REQUIRE(s.cipher->builds.size() == 2);
  CHECK(s.cipher->builds[0].binary == kExamples / "build/notes");
  CHECK(s.cipher->builds[1].build->output == "build/notes-plain");
}

TEST_CASE("what is absent has its default") {
  const auto s = load_text("version: 1\nsubject: { name: a }\n").value();
  CHECK(s.source.empty());
  CHECK(s.binary.empty());
  CHECK(s.command.empty());
  CHECK(s.ready.kind == Readiness::Kind::none);
  CHECK(s.ready.timeout == Milliseconds(30'000));
  CHECK(s.stop.signal == SIGTERM);
  CHECK(s.stop.grace == Milliseconds(10'000));
  CHECK_FALSE(s.egress);
  CHECK_FALSE(s.self);
  CHECK_FALSE(s.cipher);
  const auto lanes = load_text(
                         "version: 1\nsubject: { name: a, command: [a] }\negress: {}\nself: {}\n"
                         "cipher: { write: [ exec: [a, '${canary.1}'] ] }\n")
                         .value();
  CHECK(lanes.egress->rounds == 20);
  CHECK(lanes.self->calls == 200);
  CHECK(lanes.cipher->data == std::vector<std::string>{"${data}"});
}

TEST_CASE("every way to be ready is read") {
  const auto ready = [](const std::string& text) {
    return load_text("version: 1\nsubject: { name: a, ports: [api], ready: { " + text + " } }\n")
        .value()
        .ready;
  };
  CHECK(ready("tcp: api").kind == Readiness::Kind::tcp);
  CHECK(ready("tcp: api").target == "api");
  CHECK(ready("tcp: 6379").target == "6379");
  CHECK(ready("unix: '${work}/s'").kind == Readiness::Kind::unix_socket);
  CHECK(ready("exec: [redis-cli, ping]").command == Argv{"redis-cli", "ping"});
  CHECK(ready("exec: [x], timeout: 2m").timeout == Milliseconds(120'000));
  CHECK(ready("notify: true").kind == Readiness::Kind::notify);
}

TEST_CASE("each bad file is answered with its place and its mistake") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kExamples / "bad")) {
    INFO(entry.path().filename().string());
    const auto text = read_file(entry.path());
    const std::string mark = "# expect: ";
    REQUIRE(text.rfind(mark, 0) == 0);
    const auto expected = text.substr(mark.size(), text.find('\n') - mark.size());
    const auto result = load_specification(entry.path());
    REQUIRE_FALSE(result);
    CHECK(result.error().what == entry.path().string() + ":" + expected);
    CHECK(result.error().fault == Fault::input);
    CHECK_FALSE(result.error().fix.empty());
    ++files;
  }
  CHECK(files >= 100);
}

TEST_CASE("the subject.yaml of every fixture is read") {
  std::size_t files = 0;
  const std::filesystem::recursive_directory_iterator fixtures(kExamples.parent_path());
  for (const auto& entry : fixtures) {
    if (!entry.is_regular_file() || entry.path().filename() != "subject.yaml") continue;
    const auto result = load_specification(entry.path());
    INFO((result ? entry.path().string() : result.error().text()));
    CHECK(result);
    ++files;
  }
  CHECK(files >= 1);
}

TEST_CASE("a file that cannot be a subject.yaml is told apart") {
  const TemporaryFolder folder;
  const auto error = [](const std::filesystem::path& file) {
    return load_specification(file).error().text();
  };
  CHECK(error(folder / "absent.yaml").find("absent.yaml cannot be read: No such file") !=
        std::string::npos);
  CHECK(error(folder.path()).find("is a folder\n  fix: name the subject.yaml") !=
        std::string::npos);
  CHECK(load_mistake("") == "subject.yaml:1:1: the file is empty");
  CHECK(load_mistake("  \n# x\n") == "subject.yaml:1:1: the file is empty");
  CHECK(load_mistake("~\n") == "subject.yaml:1:1: the file is empty");
  CHECK(load_mistake(std::string("\x7f"
                                 "ELF\x02\x01\0\0",
                                 8)) ==
        "subject.yaml:1:1: control character 0x7f: this is not a text file");
  CHECK(load_mistake("version: 1\nname: caf\xe9\n") ==
        "subject.yaml:2:10: byte 0xe9 is not UTF-8 text");
  CHECK(load_mistake(std::string("v\0e\0r\0", 6)) ==
        "subject.yaml:1:2: control character 0x00: this is not a text file");
  CHECK(load_mistake(std::string(1024 * 1024 + 1, '#')).find("is larger than 1 MiB") !=
        std::string::npos);
  CHECK(load_mistake("<!DOCTYPE html>") == "subject.yaml:1:1: this is HTML or XML, not YAML");
}

TEST_CASE("a byte order mark, Windows line ends and other alphabets are fine") {
  const auto s =
      load_text("\xEF\xBB\xBFversion: 1\r\nsubject:\r\n  name: caf\xC3\xA9 \xE2\x98\x95\r\n");
  REQUIRE(s);
  CHECK(s->name == "caf\xC3\xA9 \xE2\x98\x95");
  // Columns count characters.
  CHECK(load_mistake("version: 1\nsubject: { name: \xC3\xA9\xC3\xA9, prots: [] }\n") ==
        "subject.yaml:2:22: unknown key 'prots' in subject; did you mean 'ports'?");
}

TEST_CASE("the first mistake of the file is the one that is told") {
  CHECK(load_mistake("version: 1\nsubject: { name: a, home: x }\negress: { rounds: -1 }\n") ==
        "subject.yaml:2:27: subject.home is 'x'");
  // ports: is wrong, so what refers to it is not.
  CHECK(load_mistake("version: 1\nsubject: { name: a, env: { P: '${port.api}' }, ports: api }\n") ==
        "subject.yaml:2:55: subject.ports is 'api', not a list");
}

TEST_CASE("anchors are fine, and counted where they are used") {
  const auto s =
      load_text("version: 1\nsubject: { name: a, env: &e { A: 1 } }\nphases: { p: { env: *e } }\n");
  REQUIRE(s);
  CHECK(s->phases.at("p").env == Pairs{{"A", "1"}});
  std::string bomb = "version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const auto name = [](int n) { return "a" + std::to_string(n); };
    bomb += name(i) + ": &" + name(i) + " [";
    for (int j = 0; j < 10; ++j) bomb += (j > 0 ? ", *" : "*") + name(i - 1);
    bomb += "]\n";
  }
  CHECK(load_mistake(bomb).find("more than 20000 values, counting each use of an alias") !=
        std::string::npos);
}

TEST_CASE("a hostile text cannot drive the terminal that shows the mistake") {
  const auto what = load_mistake("version: 1\nsubject: { name: a, home: \"\\e[2J\\n\" }\n");
  CHECK(what.find('\x1b') == std::string::npos);
  CHECK(what.find('\n') == std::string::npos);
}
