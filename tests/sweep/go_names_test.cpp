#include "sweep/registries/go_names.hpp"

#include "support/catch.hpp"

using namespace telltale::sweep;

TEST_CASE("capital letters are escaped as the go command sends them") {
  CHECK(go::escape("github.com/Azure/X") == "github.com/%21azure/%21x");
  CHECK(go::escape("v1.0.0-RC1") == "v1.0.0-%21r%21c1");
  CHECK(go::escape("v2.0.0+incompatible") == "v2.0.0+incompatible");
  CHECK(go::escape("gopkg.in/yaml.v3") == "gopkg.in/yaml.v3");
  CHECK(go::escape("a.example/b_c~d-e.f") == "a.example/b_c~d-e.f");
}

TEST_CASE("paths that Go takes") {
  for (const auto* path : {"github.com/Azure/X", "gopkg.in/yaml.v3", "gopkg.in/x.v0",
                           "gopkg.in/x.v2-unstable", "a.example", "a.example/v2", "a.example/x/v10",
                           "a.example/x/v2x", "go.yaml.in/yaml/v4", "a.example/~user/x",
                           "a.example/con1", "k8s.io/v", "a.example/2", "xn--bcher-kva.example/x"})
    CHECK_FALSE(go::path_fault(path));
}

TEST_CASE("paths that Go rejects, and so never leave") {
  for (const auto* path : {"",
                           "/",
                           "fmt",
                           "command-line-arguments",
                           "GitHub.com/x/y",
                           "a.example/",
                           "a.example//x",
                           "a.example/.x",
                           "a.example/x.",
                           "a.example/..",
                           "-a.example/x",
                           "a.example/x y",
                           "a.example/x!y",
                           "a.example/x@v1",
                           "a.example/\xc3\xa4",
                           "a.example/con",
                           "a.example/Aux.go",
                           "a.example/x~1",
                           "a.example/x/v1",
                           "a.example/x/v0",
                           "a.example/x/v02",
                           "a.example/x/v2.1",
                           "gopkg.in/yaml",
                           "gopkg.in/yaml.v03",
                           "a_b.example/x",
                           "a.example/x?y",
                           "a.example/x%2fy",
                           "a.example/x\x1b[2J",
                           "../a.example"})
    CHECK(go::path_fault(path));
}

TEST_CASE("versions that can be asked") {
  struct Case {
    const char *path, *version;
  };
  for (const auto& [path, version] : {Case{"a.example/x", "v1.0.0"},
                                      {"a.example/x", "v0.0.0"},
                                      {"a.example/x", "v1.0.0-RC1"},
                                      {"a.example/x", "v2.0.0+incompatible"},
                                      {"a.example/x/v3", "v3.1.4"},
                                      {"a.example/x", "v0.0.0-20240102030405-abcdef012345"},
                                      {"gopkg.in/yaml.v3", "v3.0.1"},
                                      {"gopkg.in/check.v1", "v0.0.0-20161208181325-20d25e280405"},
                                      {"gopkg.in/x.v2-unstable", "v2.1.0"},
                                      {"a.example/x", "v1.2.3-pre.0.20240102030405-abc"}})
    CHECK_FALSE(go::version_fault(path, version));
  for (const auto& [path, version] : {Case{"a.example/x", ""},
                                      {"a.example/x", "master"},
                                      {"a.example/x", "v1"},
                                      {"a.example/x", "v1.0"},
                                      {"a.example/x", "1.0.0"},
                                      {"a.example/x", "v1.0.0+meta"},
                                      {"a.example/x", "v01.0.0"},
                                      {"a.example/x", "v2.0.0"},
                                      {"a.example/x/v3", "v2.0.0"},
                                      {"a.example/x", "v1.0.0-"},
                                      {"a.example/x", "v1.0.0-01"},
                                      {"a.example/x", "v1.0.0/../x"},
                                      {"a.example/x", "(devel)"},
                                      {"a.example/x", "v1.0.0-a..b"},
                                      {"gopkg.in/yaml.v3", "v2.0.0"},
                                      {"a.example/x", "v1.0.0!"},
                                      {"a.example/x", "v1.0.0 "},
                                      {"a.example/x", "v1.2.3.4"}})
    CHECK(go::version_fault(path, version));
}

TEST_CASE("forms of versions") {
  using Form = go::VersionForm;
  CHECK(go::version_form("v1.2.3") == Form::release);
  CHECK(go::version_form("v2.0.0+incompatible") == Form::release);
  CHECK(go::version_form("v1.2.3-rc.1") == Form::prerelease);
  CHECK(go::version_form("v0.0.0-20240102030405-abcdef012345") == Form::pseudo);
  CHECK(go::version_form("v1.2.3-0.20240102030405-abcdef012345") == Form::pseudo);
  CHECK(go::version_form("v1.2.3-pre.0.20240102030405-abcdef012345") == Form::pseudo);
  CHECK(go::version_form("v2.0.1-0.20240102030405-abcdef012345+incompatible") == Form::pseudo);
  CHECK(go::version_form("v1.2.3-20240102030405-abcdef012345") == Form::prerelease);
  CHECK(go::version_form("v0.0.0-2024010203040-abcdef012345") == Form::prerelease);
  CHECK(go::version_form("latest") == Form::invalid);
}

TEST_CASE("the major version that a path asks for") {
  CHECK(go::major_of("a.example/x") == "v0");
  CHECK(go::major_of("a.example/x/v12") == "v12");
  CHECK(go::major_of("gopkg.in/yaml.v3") == "v3");
  CHECK(go::major_of("gopkg.in/yaml.v3-unstable") == "v3");
  CHECK(go::has_no_host("corp/lib"));
  CHECK_FALSE(go::has_no_host("corp.example/lib"));
}
