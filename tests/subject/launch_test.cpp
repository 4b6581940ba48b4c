// prepare(): what a launch is given. Starting and stopping: launch/start_test.cpp,
// launch/stop_test.cpp.
#include "subject/launch.hpp"

#include <unistd.h>

#include <set>

#include "launch/bench.hpp"

using namespace telltale;
using namespace telltale::subject;
namespace fs = std::filesystem;

namespace {

std::string printed(Launch& launch) {
  CHECK(test::eventually([&] { return !launch.running(); }));
  launch.stop();
  return test::read_file(launch.log());
}

}  // namespace

TEST_CASE("variables are expanded in command, environment, secrets and files", "[threads]") {
  test::Bench bench({"print:${port.api}", "print:${work}|${data}|${home}|${tmp}", "env", "folder"});
  bench.specification.ports = {"api", "health"};
  bench.specification.env = {{"LISTEN", "127.0.0.1:${port.health}"}};
  bench.specification.secrets = {{"KEY", "${key}"}};
  bench.specification.files = {{"conf", "key = ${key}"}};
  bench.specification.source = "/usr";
  const auto launch = bench.started();
  const std::string output = printed(*launch);
  const auto& variables = launch->variables();
  const std::string work = launch->work().string();
  CHECK_THAT(output, test::Holds(*variables.find("port.api") + "\n"));
  CHECK_THAT(output, test::Holds(work + "|" + work + "/data|" + work + "/home|" + work + "/tmp\n"));
  CHECK_THAT(output, test::Holds("LISTEN=127.0.0.1:" + *variables.find("port.health") + "\n"));
  CHECK_THAT(output, test::Holds("KEY=" + *variables.find("key") + "\n"));
  CHECK_THAT(output, test::Holds("HOME=" + work + "/home\n"));
  CHECK_THAT(output, test::Holds("TMPDIR=" + work + "/tmp\n"));
  CHECK_THAT(output, test::Holds("folder " + work + "\n"));
  CHECK(test::read_file(launch->work() / "conf") == "key = " + *variables.find("key"));
  CHECK(*variables.find("source") == "/usr");
  CHECK(launch->folder() == launch->work());
}

TEST_CASE("nothing of the tool's environment reaches a subject but PATH", "[threads]") {
  setenv("TELLTALE_LEAK", "1", 1);
  setenv("GITHUB_ACTIONS", "true", 1);
  test::Bench bench({"env"});
  const auto launch = bench.started();
  const std::string output = printed(*launch);
  unsetenv("TELLTALE_LEAK");
  unsetenv("GITHUB_ACTIONS");
  CHECK(output.find("TELLTALE_LEAK") == std::string::npos);
  const auto& removed = launch->removed_variables();
  CHECK(std::find(removed.begin(), removed.end(), "GITHUB_ACTIONS") != removed.end());
}

TEST_CASE("a minted key has 64 hexadecimal digits and is another one each time") {
  test::Bench bench({"pause"});
  std::set<std::string> keys;
  for (int launch = 0; launch < 3; ++launch) {
    const auto prepared = bench.prepare();
    REQUIRE(prepared);
    const std::string key = *(*prepared)->variables().find("key");
    CHECK(key.size() == 64);
    CHECK(key.find_first_not_of("0123456789abcdef") == std::string::npos);
    keys.insert(key);
  }
  CHECK(keys.size() == 3);
}

TEST_CASE("what the options give is used: key, canaries, home, variables, log", "[threads]") {
  const test::TemporaryFolder home, logs;
  test::Bench bench({"print:${key} ${canary.1} ${canary.2}", "env"});
  LaunchOptions options;
  options.key = "my-key-0123456789";
  options.canaries = {"first", "second"};
  options.home = home.path();
  options.log = logs / "raw.log";
  options.extra_environment = {{"HTTP_PROXY", "http://127.0.0.1:9"}, {"LANG", "C"}};
  const auto launch = bench.started(options);
  printed(*launch);
  const std::string output = test::read_file(logs / "raw.log");
  CHECK_THAT(output, test::Holds("my-key-0123456789 first second\n"));
  CHECK_THAT(output, test::Holds("HOME=" + home.path().string() + "\n"));
  CHECK_THAT(output, test::Holds("HTTP_PROXY=http://127.0.0.1:9\n"));
  CHECK_THAT(output, test::Holds("LANG=C\n"));
  CHECK(launch->home() == home.path());
}

TEST_CASE("secrets are given, and masked in what is quoted", "[threads]") {
  test::Bench bench({"print:the key is ${key}", "exit:3"});
  bench.specification.secrets = {{"TOKEN", "tok-12345678"}};
  bench.ready_by_notify();
  const auto error = bench.start_error();
  CHECK_THAT(error.what, test::Holds("the key is [secret key]"));
  const auto prepared = bench.prepare();
  REQUIRE(prepared);
  const Pairs secrets = (*prepared)->secrets();
  REQUIRE(secrets.size() == 2);
  CHECK(secrets[0] == std::pair<std::string, std::string>("TOKEN", "tok-12345678"));
  CHECK(secrets[1].first == "key");
}

TEST_CASE("a variant is started in the place of the binary", "[threads]") {
  test::Bench bench({});
  bench.specification.command = {"${binary}", "print:variant"};
  bench.specification.binary = "/no/such/program";
  LaunchOptions options;
  options.binary = test::actor();
  const auto launch = bench.started(options);
  CHECK(printed(*launch) == "variant\n");
}

TEST_CASE("a variant that the command does not use is a mistake, not the same program again") {
  test::Bench bench({"pause"});
  LaunchOptions options;
  options.binary = "/usr/bin/true";
  const auto prepared = bench.prepare(options);
  REQUIRE_FALSE(prepared);
  CHECK(prepared.error().fault == Fault::input);
  CHECK_THAT(prepared.error().what, test::Holds("${binary}"));
}

TEST_CASE("a relative program starts at the folder of the file", "[threads]") {
  const test::TemporaryFolder folder;
  folder.write_program("bin/run", "#!/bin/sh\necho here\n");
  test::Bench bench({});
  bench.specification.folder = folder.path();
  bench.specification.command = {"bin/run"};
  const auto launch = bench.started();
  CHECK(printed(*launch) == "here\n");
}

TEST_CASE("an overlay of HOME is refused with what to do, not made up") {
  test::Bench bench({"pause"});
  bench.specification.home = Home::overlay;
  const auto prepared = bench.prepare();
  REQUIRE_FALSE(prepared);
  CHECK(prepared.error().fault == Fault::instrument);
  CHECK_THAT(prepared.error().fix, test::Holds("home: fresh"));
}

TEST_CASE("a foreground command has its user's environment and folder", "[threads]") {
  setenv("TELLTALE_OWN", "mine", 1);
  setenv("GITHUB_ACTIONS", "true", 1);
  setenv("DO_NOT_TRACK", "1", 1);
  const test::TemporaryFolder folder;
  const std::string file = (folder / "seen").string();
  test::Bench bench({});
  bench.specification.command = {"/bin/sh", "-c", "env > " + file + "; pwd >> " + file};
  LaunchOptions options;
  options.foreground = true;
  const auto launch = bench.started(options);
  printed(*launch);
  const std::string seen = test::read_file(folder / "seen");
  unsetenv("TELLTALE_OWN");
  unsetenv("GITHUB_ACTIONS");
  unsetenv("DO_NOT_TRACK");
  CHECK_THAT(seen, test::Holds("TELLTALE_OWN=mine\n"));
  CHECK_THAT(seen, test::Holds(fs::current_path().string() + "\n"));
  CHECK(seen.find("GITHUB_ACTIONS") == std::string::npos);
  CHECK(launch->opt_outs() == std::vector<std::string>{"DO_NOT_TRACK"});
}

TEST_CASE("the words of a foreground command are not expanded", "[threads]") {
  test::Bench bench({"print:${HOME}", "exit:0"});
  LaunchOptions options;
  options.foreground = true;
  const auto launch = bench.started(options);
  CHECK(launch->command().at(1) == "print:${HOME}");
  printed(*launch);
}

TEST_CASE("set-up steps run in order, in the subject's world, before the start", "[threads]") {
  test::Bench bench({"print:started"});
  Step first, second;
  first.name = "one";
  first.call = ExecCall{{test::actor(), "print:${port.api}", "touch:${data}/made", "env"}, {}};
  second.name = "two";
  second.call = ExecCall{{"/bin/sh", "-c", "ls data; echo '{\"id\": 7}' >&1"}, {}};
  bench.specification.ports = {"api"};
  bench.specification.secrets = {{"KEY", "${key}"}};
  bench.specification.setup = {first, second};
  const auto launch = bench.started();
  const std::string output = printed(*launch);
  CHECK_THAT(output, test::Holds(*launch->variables().find("port.api") + "\n"));
  CHECK_THAT(output, test::Holds("KEY=" + *launch->variables().find("key") + "\n"));
  CHECK_THAT(output, test::Holds("made\n{\"id\": 7}\nstarted\n"));
}

TEST_CASE("what a set-up step captures is kept for the doors", "[threads]") {
  test::Bench bench({"pause"});
  Step step;
  step.name = "user";
  step.call = ExecCall{{"/bin/echo", "{\"id\": \"u-1\"}"}, {}};
  step.capture = {{"id", "/id"}};
  bench.specification.setup = {step};
  const auto prepared = bench.prepare();
  if (!prepared) FAIL(prepared.error().text());
  CHECK(*(*prepared)->variables().find("id") == "u-1");
}

TEST_CASE("a set-up step that fails ends the launch, quoted, with its secrets masked") {
  test::Bench bench({"pause"});
  Step step;
  step.name = "init";
  step.call = ExecCall{{test::actor(), "fail:bad key ${key}", "exit:4"}, {}};
  bench.specification.setup = {step};
  const auto prepared = bench.prepare();
  REQUIRE_FALSE(prepared);
  CHECK(prepared.error().fault == Fault::subject);
  CHECK_THAT(prepared.error().what, test::Holds("set-up step init") &&
                                        test::Holds("exit status 4") &&
                                        test::Holds("bad key [secret key]"));
  CHECK(test::nobody_left());
}

TEST_CASE("what a set-up step leaves running goes even when the subject is never started") {
  {
    test::Bench bench({"pause"});
    Step step;
    step.name = "init";
    step.call = ExecCall{{test::actor(), "detach"}, {}};
    bench.specification.setup = {step};
    const auto prepared = bench.prepare();
    REQUIRE(prepared);
    CHECK_FALSE(test::running_with(test::actor()).empty());
  }
  CHECK(test::running_with(test::actor()).empty());
}
