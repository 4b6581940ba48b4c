#include "sweep/registries/go_proxy.hpp"

#include "support/catch.hpp"
#include "sweep/registries/go_names.hpp"
#include "sweep/says.hpp"

using namespace telltale;
using namespace telltale::sweep;

namespace {

Module module(const std::string& path, const std::string& version) {
  Module one;
  one.ecosystem = "go";
  one.path = path;
  one.version = version;
  return one;
}

std::unique_ptr<Registry> proxy(const char* go_private = nullptr) {
  return make_registry("go", {[=](const char* name) -> const char* {
                         return std::string(name) == "GOPRIVATE" ? go_private : nullptr;
                       }});
}

Response served(const std::string& body, int status = 200) {
  Response response;
  response.status = status;
  response.body = body;
  return response;
}

Answer info(const std::string& body) {
  const auto registry = proxy();
  const auto one = module("a.example/x", "v1.0.0");
  return registry->judge(registry->existence(one), one, served(body)).answer;
}

}  // namespace

TEST_CASE("what stands on the wire") {
  const auto registry = proxy();
  const auto one = module("github.com/Azure/X", "v1.0.0-RC1");
  CHECK(registry->existence(one).path == "/github.com/%21azure/%21x/@v/v1.0.0-%21r%21c1.info");
  CHECK(registry->confirmations(one)[0].path ==
        "/github.com/%21azure/%21x/@v/v1.0.0-%21r%21c1.mod");
  CHECK(registry->catalogue(one).path == "/github.com/%21azure/%21x/@v/list");
  auto replaced = one;
  replaced.replaced_by = Replacement{"b.example/y", "v1.2.0", ""};
  CHECK(registry->existence(replaced).path == "/b.example/y/@v/v1.2.0.info");
}

TEST_CASE("a version is served when its info names that very version") {
  CHECK(info(R"({"Version":"v1.0.0","Time":"2026-01-02T03:04:05Z"})") == Answer::fetchable);
  CHECK(info(R"({"Version":"v1.0.1"})") == Answer::unknown);
  CHECK(info(R"({"version":"v1.0.0"})") == Answer::unknown);
  CHECK(info(R"({"Version":1})") == Answer::unknown);
  CHECK(info(R"(["v1.0.0"])") == Answer::unknown);
  CHECK(info(R"({"Version":"v1.0)") == Answer::unknown);
  CHECK(info("<html>log in</html>") == Answer::unknown);
  CHECK(info("") == Answer::unknown);
}

TEST_CASE("a go.mod is one when it has a module line") {
  const auto registry = proxy();
  const auto one = module("a.example/x", "v1.0.0");
  const auto question = registry->confirmations(one)[0];
  const auto judged = [&](const std::string& body) {
    return registry->judge(question, one, served(body)).answer;
  };
  CHECK(judged("// old\nmodule a.example/x\n") == Answer::fetchable);
  CHECK(judged("module b.example/the-one-it-replaces\n") == Answer::fetchable);
  CHECK(judged("<html>module </html>") == Answer::unknown);
  CHECK(judged("") == Answer::unknown);
}

TEST_CASE("a part is an answer only where no more was asked than whether it is there") {
  const auto registry = proxy();
  const auto one = module("a.example/x", "v1.0.0");
  const auto answer = [&](const Question& question, const std::string& body) {
    return registry->judge(question, one, served(body, 206)).answer;
  };
  CHECK(answer(registry->confirmations(one)[1], "P") == Answer::fetchable);  // its .zip
  CHECK(answer(registry->existence(one), R"({"Version":"v1.0.0"})") == Answer::unknown);
  CHECK(answer(registry->confirmations(one)[0], "module a.example/x\n") == Answer::unknown);
  CHECK(answer(registry->catalogue(one), "v1.0.0\n") == Answer::unknown);
}

TEST_CASE("a 404 is absent whatever its body says") {
  const auto registry = proxy();
  const auto one = module("a.example/x", "v1.0.0");
  for (const int status : {404, 410})
    CHECK(registry
              ->judge(registry->existence(one), one,
                      served("fatal: could not read Username: authentication required", status))
              .answer == Answer::absent);
}

TEST_CASE("published as") {
  const auto registry = proxy();
  const auto as = [&](const std::string& version, const Response& list,
                      Answer answer = Answer::fetchable) {
    return name(registry->publication(module("a.example/x", version), answer, list));
  };
  const std::string commit = "v0.0.0-20260102030405-0123456789ab";
  CHECK(as("v1.0.0", served("v0.9.0\nv1.0.0\n")) == "release");
  CHECK(as("v1.0.0-rc.1", served("v1.0.0-rc.1\n")) == "pre-release");
  CHECK(as("v1.0.0", served("v0.9.0\n")) == "served but gone");
  CHECK(as("v1.0.0", served("not found", 404)) == "served but gone");
  CHECK(as(commit, served("v0.9.0\n")) == "pseudo-version");
  CHECK(as(commit, served("")) == "pseudo-version, no release");
  CHECK(as(commit, served("v1.0.0-rc.1\n")) == "pseudo-version, no release");
  CHECK(as("v1.0.0", served("", 404), Answer::absent) == "nothing");
  CHECK(as("v1.0.0", served("v1.0.0\n"), Answer::refused) == "unknown");
  CHECK(as("v1.0.0", served("no", 403)) == "unknown");
  CHECK(as("v1.0.0", served("<html>")) == "unknown");
}

TEST_CASE("names that must not leave do not") {
  struct Case {
    const char *path, *version;
    ModuleKind kind, when_asked;
  };
  const auto registry = proxy("*.corp.example,git.example/team");
  using Kind = ModuleKind;
  for (const auto& row : {
           Case{"a.example/x", "v1.0.0", Kind::published, Kind::published},
           Case{"git.corp.example/x", "v1.0.0", Kind::private_name, Kind::published},
           Case{"git.example/team/x", "v1.0.0", Kind::private_name, Kind::published},
           Case{"git.example/other/x", "v1.0.0", Kind::published, Kind::published},
           Case{"corp/lib", "v1.0.0", Kind::private_name, Kind::private_name},
           Case{"GitHub.com/x/y", "v1.0.0", Kind::unresolved, Kind::unresolved},
           Case{"a.example/x", "master", Kind::unresolved, Kind::unresolved},
           Case{"a.example/x", "v2.0.0", Kind::unresolved, Kind::unresolved},
           Case{"golang.org/toolchain", "v0.0.1-go1.22.3.linux-amd64", Kind::toolchain,
                Kind::toolchain},
       }) {
    INFO(row.path);
    for (const bool ask : {false, true}) {
      auto one = module(row.path, row.version);
      registry->screen(one, ask);
      CHECK(name(one.kind) == name(ask ? row.when_asked : row.kind));
      CHECK(one.reason.empty() == one.asked());
    }
  }
}

TEST_CASE("what the settings keep from any proxy is private") {
  const auto registry =
      make_registry("go", {[](const char* name) -> const char* {
                      return std::string(name) == "GONOPROXY" ? "*.corp.example" : nullptr;
                    }});
  auto one = module("git.corp.example/x", "v1.0.0");
  registry->screen(one, false);
  CHECK(name(one.kind) == name(ModuleKind::private_name));
  CHECK(test::says(one.reason, "GONOPROXY"));
  auto other = module("git.example/x", "v1.0.0");
  registry->screen(other, false);
  CHECK(other.asked());
}

TEST_CASE("a replacement is screened, not what it replaces") {
  auto one = module("corp/lib", "v1.0.0");
  one.replaced_by = Replacement{"b.example/y", "v1.2.0", ""};
  proxy()->screen(one, false);
  CHECK(one.asked());
}

TEST_CASE("what the controls ask for is well-formed, and differs each time") {
  const auto registry = proxy();
  const auto missing = registry->missing_module("abc123");
  CHECK_FALSE(go::path_fault(missing.path));
  CHECK_FALSE(go::version_fault(missing.path, missing.version));
  CHECK(test::says(missing.path, ".invalid/"));
  CHECK(registry->missing_module("abc124").path != missing.path);
  for (const auto* path : {"a.example/x", "a.example/x/v3", "gopkg.in/yaml.v3"}) {
    const auto version = registry->missing_version(module(path, "v1.0.0"), "abc123");
    CHECK(version.path == path);
    CHECK_FALSE(go::version_fault(version.path, version.version));
    CHECK(go::version_form(version.version) == go::VersionForm::release);
    CHECK(registry->missing_version(module(path, "v1.0.0"), "abc124").version != version.version);
  }
}

TEST_CASE("a registry of another ecosystem is not known") {
  CHECK(make_registry("fortran", settings_of_this_process()) == nullptr);
}
