#include "canary/write_doors.hpp"

#include <nlohmann/json.hpp>

#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::canary;

namespace {

subject::Step step(const std::string& name, subject::Call call) {
  subject::Step made;
  made.name = name;
  made.call = std::move(call);
  return made;
}

subject::Step exec(const std::string& name, subject::Argv command) {
  return step(name, subject::ExecCall{std::move(command), {}});
}

subject::Step http(const std::string& name, const nlohmann::json& body) {
  subject::HttpCall call;
  call.method = "POST";
  call.url = "http://127.0.0.1:${port.api}/v1/notes";
  call.json = std::make_shared<const nlohmann::json>(body);
  return step(name, call);
}

}  // namespace

TEST_CASE("canaries through doors of different kinds are distinct writes") {
  const auto found =
      write_doors({http("login", {{"user", "a"}}), http("rest", {{"body", "${canary.1}"}}),
                   exec("cli", {"notesctl", "add", "${canary.2}"})});
  CHECK(found.distinct());
  CHECK(found.text() == "2 canaries by 2 steps through 2 doors (exec, http)");
}

TEST_CASE("two steps through one door are one path through the program") {
  const auto found =
      write_doors({http("one", {{"body", "${canary.1}"}}), http("two", {{"body", "${canary.2}"}})});
  CHECK_FALSE(found.distinct());
  CHECK(found.text() == "2 canaries by 2 steps through 1 door (http)");
}

TEST_CASE("what a command is given to write makes no door of it") {
  const auto found = write_doors({exec("one", {"notesctl", "add", "${canary.1}"}),
                                  exec("two", {"notesctl", "add", "again: ${canary.2}"})});
  CHECK_FALSE(found.distinct());
  CHECK(found.text() == "2 canaries by 2 steps through 1 door (exec)");
}

TEST_CASE("steps that write no canary are no writes") {
  CHECK_FALSE(write_doors({exec("table", {"psql", "CREATE"}),
                           exec("both", {"psql", "${canary.1} ${canary.2}"})})
                  .distinct());
}

TEST_CASE("one client that reaches the program in two ways is two doors, of one kind") {
  const auto found = write_doors({exec("socket", {"psql", "-h", "${work}", "${canary.1}"}),
                                  exec("network", {"psql", "-h", "127.0.0.1", "${canary.2}"})});
  CHECK(found.distinct());
  CHECK(found.kinds.size() == 1);
}

TEST_CASE("tools of one MCP server are different doors, and so are its values not") {
  const auto add = [](const std::string& tool, const std::string& value) {
    subject::McpCall call;
    call.url = "http://127.0.0.1/mcp";
    call.call = "tools/call";
    call.params = std::make_shared<const nlohmann::json>(
        nlohmann::json{{"name", tool}, {"arguments", {{"body", value}}}});
    return step(tool + value, call);
  };
  CHECK(write_doors({add("add", "${canary.1}"), add("import", "${canary.2}")}).doors.size() == 2);
  CHECK(write_doors({add("add", "${canary.1}"), add("add", "${canary.2}")}).doors.size() == 1);
}

TEST_CASE("raw and unix sockets are doors by their place") {
  const auto found = write_doors({step("tcp", subject::TcpCall{"redis", "SET a ${canary.1}"}),
                                  step("unix", subject::UnixCall{"s", "SET b ${canary.2}", {}})});
  CHECK(found.distinct());
  CHECK(found.text() == "2 canaries by 2 steps through 2 doors (tcp, unix)");
}
