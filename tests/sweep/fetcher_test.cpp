#include "sweep/fetcher.hpp"

#include <unistd.h>

#include <cstdlib>

#include "support/catch.hpp"
#include "support/scripted_server.hpp"
#include "support/tls_server.hpp"
#include "sweep/registry_server.hpp"
#include "sweep/retry.hpp"
#include "sweep/says.hpp"

using namespace telltale;
using namespace telltale::sweep;
using test::RegistryServer;
using test::says;

namespace {

const std::string kInfo = "/notes.example/greeter/@v/v1.2.0.info";

std::unique_ptr<Fetcher> fetcher(FetchOptions options = {}) {
  options.user_agent = "telltale/0.0.0 (+self)";
  options.retry_wait = std::chrono::milliseconds(1);
  auto made = make_fetcher(std::move(options));
  REQUIRE(made);
  return std::move(*made);
}

Response fetch(const std::string& url, FetchOptions options = {}, bool confirm_absent = false) {
  return fetcher(std::move(options))->fetch({{url, 1U << 20, confirm_absent}}).front();
}

// A variable of the environment, put back afterwards.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string old_;
};

}  // namespace

TEST_CASE("no credential that lies about reaches the wire") {
  RegistryServer server;
  test::TemporaryFolder home;
  const std::string netrc =
      "machine 127.0.0.1 login planted password planted-secret\n"
      "default login planted password planted-secret\n";
  home.write(".netrc", netrc);
  home.write(".curlrc", "user = planted:planted-secret\nheader = \"Authorization: planted\"\n");
  home.write(".config/curlrc", "user = planted:planted-secret\n");
  home.write(".git-credentials", "http://planted:planted-secret@127.0.0.1\n");
  home.write(".config/go/env", "GOAUTH=netrc\nGOPROXY=http://planted:planted-secret@127.0.0.1\n");
  const auto proxy = "http://planted:planted-secret@127.0.0.1:1";
  const Variable variables[] = {{"HOME", home.path()},
                                {"CURL_HOME", home.path()},
                                {"NETRC", home / ".netrc"},
                                {"http_proxy", proxy},
                                {"https_proxy", proxy},
                                {"HTTPS_PROXY", proxy},
                                {"ALL_PROXY", proxy},
                                {"all_proxy", proxy},
                                {"GOAUTH", "netrc"},
                                {"GOPROXY", proxy},
                                {"GITHUB_TOKEN", "planted-secret"}};
  const auto response = fetch(server.url() + kInfo);
  CHECK(response.status == 200);
  const auto log = server.log();
  REQUIRE(log.size() == 1);
  CHECK(log[0].method == "GET");
  CHECK(log[0].path == kInfo);
  CHECK(log[0].headers ==
        std::map<std::string, std::string>{
            {"Host", server.host()}, {"Accept", "*/*"}, {"User-Agent", "telltale/0.0.0 (+self)"}});
}

TEST_CASE("an address with a user name in it is refused, its own and a redirect's") {
  RegistryServer target;
  const auto planted = "http://planted:planted-secret@" + target.host();
  CHECK(says(fetch(planted + kInfo).failure, "user name"));
  CHECK(target.log().empty());

  RegistryServer redirecting({".=redirect:" + planted});
  const auto response = fetch(redirecting.url() + kInfo);
  CHECK(answer_of(response) == Answer::unknown);
  CHECK(says(response.failure, "user name"));
  CHECK(target.log().empty());

  FetchOptions options;
  options.proxy = planted;
  const auto made = make_fetcher(options);
  REQUIRE_FALSE(made);
  CHECK(made.error().fault == Fault::input);
  CHECK_FALSE(test::holds(made.error().text(), "planted-secret"));
}

TEST_CASE("four answers") {
  struct Case {
    const char* mode;
    Answer answer;
    int status;
  };
  for (const auto& row : {Case{"404", Answer::absent, 404},
                          {"410", Answer::absent, 410},
                          {"401", Answer::refused, 401},
                          {"403", Answer::refused, 403},
                          {"407", Answer::refused, 407},
                          {"451", Answer::refused, 451},
                          {"429", Answer::refused, 429},
                          {"400", Answer::unknown, 400},
                          {"500", Answer::unknown, 500},
                          {"502", Answer::unknown, 502},
                          {"204", Answer::unknown, 204},
                          {"truncated", Answer::unknown, 200},
                          {"close", Answer::unknown, 0}}) {
    INFO(row.mode);
    RegistryServer server({std::string(".=") + row.mode});
    const auto response = fetch(server.url() + kInfo);
    CHECK(name(answer_of(response)) == name(row.answer));
    CHECK(response.status == row.status);
    CHECK_FALSE(describe(response).empty());
  }
  const auto nobody = fetch("http://127.0.0.1:1/");
  CHECK(answer_of(nobody) == Answer::unknown);
  CHECK_FALSE(nobody.failure.empty());
}

TEST_CASE("only what may pass is asked again, and three times at most") {
  struct Case {
    const char* mode;
    int attempts;
  };
  for (const auto& row : {Case{"502", 3},
                          {"429", 3},
                          {"403", 1},
                          {"404", 1},
                          {"400", 1},
                          {"garbage", 1},
                          {"close", 1},
                          {"retry-after:0", 2}}) {
    INFO(row.mode);
    RegistryServer server({std::string(".=") + row.mode});
    CHECK(fetch(server.url() + kInfo).attempts == row.attempts);
    if (std::string(row.mode) != "close")
      CHECK(server.log().size() == static_cast<std::size_t>(row.attempts));
  }
}

TEST_CASE("Retry-After is waited for, as seconds and as a date") {
  for (const auto* mode : {"retry-after:1", "retry-date:2"}) {
    INFO(mode);
    RegistryServer server({std::string(".=") + mode});
    const auto start = std::chrono::steady_clock::now();
    const auto response = fetch(server.url() + kInfo);
    CHECK(response.status == 200);
    CHECK(response.attempts == 2);
    CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(900));
  }
}

TEST_CASE("how long an attempt waits for the next") {
  using std::chrono::milliseconds;
  Response response;
  const FetchOptions options;
  const auto wait = [&](int status, int attempt, std::optional<long> asked = {}) {
    response.status = status;
    response.retry_after = asked;
    return retry_after({response, false, attempt}, options);
  };
  CHECK(wait(503, 1) == milliseconds(250));
  CHECK(wait(503, 2) == milliseconds(1000));
  CHECK_FALSE(wait(503, 3));
  CHECK(wait(429, 1, 30) == milliseconds(30'000));
  CHECK_FALSE(wait(429, 1, 31));  // not sooner than it asks, and not that late
  CHECK_FALSE(wait(404, 1));
  CHECK_FALSE(wait(200, 1));
  response.status = 0;
  response.retry_after.reset();
  CHECK(retry_after({response, true, 1}, options));
  CHECK_FALSE(retry_after({response, false, 1}, options));
}

TEST_CASE("an absent one is asked once more, where that is wanted") {
  RegistryServer steady({".=404"});
  const auto absent = fetch(steady.url() + kInfo, {}, true);
  CHECK(absent.attempts == 2);
  CHECK_FALSE(absent.flapping);
  CHECK(answer_of(absent) == Answer::absent);

  RegistryServer unsteady({".=flapping"});
  const auto flapping = fetch(unsteady.url() + kInfo, {}, true);
  CHECK(flapping.attempts == 2);
  CHECK(flapping.flapping);
  CHECK(answer_of(flapping) == Answer::fetchable);
}

TEST_CASE("a registry that does not answer in time") {
  RegistryServer server({".=slow:20"});
  FetchOptions options;
  options.timeout = std::chrono::milliseconds(100);
  options.attempts = 2;
  const auto response = fetch(server.url() + kInfo, options);
  CHECK(response.attempts == 2);
  CHECK(says(response.failure, "timed out"));
}

TEST_CASE("a body longer than its limit is no answer") {
  RegistryServer server;
  const auto response = fetcher()->fetch({{server.url() + kInfo, 8, false}}).front();
  CHECK(says(response.failure, "longer than 8 bytes"));
  CHECK(response.body.size() <= 8);
}

TEST_CASE("redirects are followed to http, counted for each host, and not for ever") {
  RegistryServer target;
  RegistryServer server({".=redirect:" + target.url()});
  auto client = fetcher();
  const auto response = client->fetch({{server.url() + kInfo, 1U << 20, false}}).front();
  CHECK(response.status == 200);
  CHECK(response.redirect_hosts == std::vector<std::string>{target.host()});
  CHECK(client->hosts() ==
        std::map<std::string, std::uint64_t>{{server.host(), 1}, {target.host(), 1}});

  RegistryServer refusing({".=403"});
  RegistryServer elsewhere({".=redirect:" + refusing.url()});
  CHECK(answer_of(fetch(elsewhere.url() + kInfo)) == Answer::refused);

  // An answer of a file would have no status, and of FTP neither; nobody is called there.
  test::ScriptedServer ftp([](test::Connection& connection) { connection.send("220 ready\r\n"); });
  for (const auto& place :
       {std::string("file:///etc/passwd?"), "ftp://127.0.0.1:" + std::to_string(ftp.port())}) {
    INFO(place);
    RegistryServer leading({".=redirect:" + place});
    const auto led = fetch(leading.url() + kInfo);
    CHECK(answer_of(led) == Answer::unknown);
    CHECK(says(led.failure, "redirects to something that is not http or https"));
  }
  CHECK(ftp.connections() == 0);
}

TEST_CASE("a loop of redirects ends") {
  RegistryServer server({".=redirect:"});  // to the path itself
  const auto response = fetch(server.url() + kInfo);
  CHECK(answer_of(response) == Answer::unknown);
  CHECK(server.log().size() == 6);
}

TEST_CASE("only --proxy decides which proxy is used") {
  RegistryServer proxy;
  FetchOptions options;
  options.proxy = proxy.url();
  const Variable none("no_proxy", "*");
  (void)fetch("http://registry.invalid/x", options);
  const auto log = proxy.log();
  REQUIRE(log.size() == 1);
  CHECK(log[0].path == "http://registry.invalid/x");
}

TEST_CASE("a path goes out as it is written") {
  RegistryServer server;
  const std::string path = "/notes.example/../other.example/./@v/list";
  CHECK(fetch(server.url() + path).status == 404);
  CHECK(server.log().at(0).path == path);
}

TEST_CASE("--cacert is what a registry is trusted by, and all that it is trusted by") {
  test::TemporaryFolder folder;
  const auto own = folder.write("own.pem", test::loopback_certificate());
  const auto other = folder.write("other.pem", test::loopback_certificate());
  RegistryServer server({}, {}, own);
  const auto trusting = [&](const std::filesystem::path& file) {
    FetchOptions options;
    options.ca_file = file.string();
    return fetch(server.url() + kInfo, options);
  };
  CHECK(trusting(own).status == 200);
  CHECK(says(trusting(other).failure, "certificate"));
  CHECK(says(trusting("").failure, "certificate"));
}

// One question at a time needs one connection; a second one under way would ask for another.
TEST_CASE("no more questions are under way than was said") {
  test::ScriptedServer server([](test::Connection& connection) {
    while (!connection.request().empty()) connection.send(test::ok("fine"));
  });
  FetchOptions options;
  options.in_flight = 1;
  options.attempts = 1;
  options.timeout = std::chrono::milliseconds(2000);
  const std::vector<Request> requests(20, {server.url("/a")});
  for (const auto& response : fetcher(options)->fetch(requests)) CHECK(response.status == 200);
  CHECK(server.connections() == 1);
}

TEST_CASE("an interruption ends the fetching at once") {
  RegistryServer server({".=slow:20"});
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], "x", 1) == 1);
  FetchOptions options;
  options.interrupt_fd = ends[0];
  const auto responses =
      fetcher(options)->fetch({{server.url() + "/a", 1, false}, {server.url() + "/b", 1, false}});
  for (const auto& response : responses) CHECK(response.failure == "interrupted");
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("many questions at once come back in their order") {
  RegistryServer server({"/odd=404"});
  std::vector<Request> requests;
  for (int i = 0; i < 600; ++i)
    requests.push_back({server.url() + (i % 2 == 1 ? "/odd" + std::to_string(i) : kInfo)});
  const auto responses = fetcher()->fetch(requests);
  REQUIRE(responses.size() == requests.size());
  for (std::size_t i = 0; i < responses.size(); ++i)
    CHECK(responses[i].status == (i % 2 == 1 ? 404 : 200));
  CHECK(server.log().size() == 600);
}
