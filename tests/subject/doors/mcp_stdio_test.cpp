// MCP over stdio, with servers written in sh: one line in, one line out.
#include "subject/doors/steps.hpp"
#include "subject/world.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::subject;
using test::kLong;

namespace {

// Takes the id out of each line, writes the line to ./asked, and lets `answers` speak.
constexpr const char* kLoop = R"(
while read -r line; do
  echo "$line" >> asked
  id=${line#*'"id":'}; id=${id%%,*}
  result() { echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"; }
  error() { echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":$1,\"message\":\"$2\"}}"; }
  case $line in
)";

constexpr const char* kLegacy = R"(
    *server/discover*) error -32601 'no such method' ;;
    *'"initialize"'*) result '{"protocolVersion":"2025-03-26","capabilities":{}}' ;;
    *notifications/initialized*) ;;
)";

constexpr const char* kModern = R"(
    *server/discover*) result '{"supportedVersions":["2026-07-28"]}' ;;
)";

struct StdioAsking {
  std::unique_ptr<Enclosure> enclosure = make_plain_enclosure();
  test::TemporaryFolder folder;
  Step step;
  std::unique_ptr<Door> door;

  // The cases of a server that runs kLoop.
  explicit StdioAsking(const std::string& cases) {
    const auto file = folder.write("server.sh", kLoop + cases + "esac\ndone\n");
    open({"/bin/sh", file.string()});
  }
  explicit StdioAsking(Argv command) { open(std::move(command)); }
  void open(Argv command) {
    McpCall call;
    call.command = std::move(command);
    call.call = "tools/list";
    step = test::step_of(call);
    door = open_door(step, {*enclosure, {}, folder.path(), {}}).value();
    REQUIRE(door->prepare({}));
  }
  std::string body(Milliseconds limit = kLong) {
    const auto answer = door->call(limit);
    return answer ? answer->body : answer.error().what;
  }
  std::string asked() { return test::read_file(folder / "asked"); }
};

}  // namespace

TEST_CASE("MCP over stdio, legacy", "[threads]") {
  StdioAsking asking(std::string(kLegacy) + "*tools/list*) result '{\"tools\":[1]}' ;;\n");
  CHECK(asking.body() == R"({"tools":[1]})");
  const auto server = asking.door->helper();
  CHECK(test::alive(server));
  CHECK(asking.body() == R"({"tools":[1]})");
  CHECK(asking.door->helper() == server);
  const auto asked = asking.asked();
  CHECK(test::contains(asked, "\"notifications/initialized\""));
  CHECK(asked.find("\"initialize\"") == asked.rfind("\"initialize\""));
  asking.door.reset();
  CHECK_FALSE(test::alive(server));
}

TEST_CASE("MCP over stdio, modern", "[threads]") {
  StdioAsking asking(std::string(kModern) + "*tools/list*) result '{\"tools\":[2]}' ;;\n");
  CHECK(asking.body() == R"({"tools":[2]})");
  CHECK_FALSE(test::contains(asking.asked(), "initialize"));
  CHECK(test::contains(asking.asked(), "io.modelcontextprotocol/protocolVersion"));
}

TEST_CASE("MCP over stdio: what comes between", "[threads]") {
  StdioAsking asking(std::string(kModern) + R"(*tools/list*)
    echo 'a log line that has no place here'
    echo '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
    echo '{"jsonrpc":"2.0","id":7,"method":"ping"}'
    read -r pong; echo "$pong" >> asked
    echo '{"jsonrpc":"2.0","id":8,"method":"roots/list"}'
    read -r refused; echo "$refused" >> asked
    result '{"tools":[3]}' ;;
)");
  CHECK(asking.body() == R"({"tools":[3]})");
  CHECK(test::contains(asking.asked(), R"({"id":7,"jsonrpc":"2.0","result":{}})"));
  CHECK(test::contains(asking.asked(), R"("code":-32601)"));
}

TEST_CASE("MCP over stdio: a server that ends", "[threads]") {
  SECTION("at the first call") {
    StdioAsking asking(Argv{"/bin/sh", "-c", "echo no licence >&2; exit 3"});
    const auto what = asking.body();
    CHECK(test::contains(what, "exit status 3"));
    CHECK(test::contains(what, "no licence"));
  }
  SECTION("at the question for its era: it is started again") {
    StdioAsking asking(R"(*server/discover*) exit 1 ;;
    *'"initialize"'*) result '{"protocolVersion":"2025-03-26"}' ;;
    *notifications/initialized*) ;;
    *tools/list*) result '{"tools":[4]}' ;;
)");
    CHECK(asking.body() == R"({"tools":[4]})");
  }
  SECTION("between two calls: the next one begins anew") {
    StdioAsking asking(std::string(kLegacy) +
                       "*tools/list*) result '{\"tools\":[5]}'; exit 0 ;;\n");
    CHECK(asking.body() == R"({"tools":[5]})");
    CHECK(test::contains(asking.body(), "before it answered"));
    CHECK(asking.body() == R"({"tools":[5]})");
  }
}

TEST_CASE("MCP over stdio: a server that does not answer, and does not want to end", "[threads]") {
  StdioAsking asking(Argv{"/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done"});
  CHECK(test::contains(asking.body(Milliseconds{200}), "ran out of time before it answered"));
  const auto server = asking.door->helper();
  asking.door.reset();
  CHECK_FALSE(test::alive(server));
}
