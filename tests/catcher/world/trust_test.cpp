#include "catcher/tls/trust.hpp"

#include <algorithm>
#include <filesystem>

#include "catcher/tls/run_authority.hpp"
#include "catcher/world/inside.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/requirement.hpp"

using namespace telltale;
using catcher::RunAuthority;
using catcher::RunTrust;
using test::contains;
using test::run_inside;
using test::sealed;

namespace {

constexpr auto kSystem = "/etc/ssl/certs/ca-certificates.crt";

// Certificates of a file inside; -1: there is no such file.
int certificates_inside(const std::string& file) {
  const auto counted = run_inside({"grep", "-c", "BEGIN CERTIFICATE", file});
  return counted.exit.status > 1 ? -1 : std::stoi(counted.output);
}

}  // namespace

TEST_CASE("the run's authority is laid over the system's, beside them, and lifted") {
  if (!test::have_world()) return;
  if (!test::require(std::filesystem::exists(kSystem), "a bundle of authorities")) return;
  auto& world = sealed()->world();
  const auto authority = RunAuthority::make();
  RunTrust trust((*authority)->pem(), (*authority)->hashed_name());
  const int before = certificates_inside(kSystem);
  REQUIRE(world.in_mounts([&] { return trust.lay(); }));
  const auto given = RunTrust::environment({{"JAVA_TOOL_OPTIONS", "the subject's own"}});
  const auto value = [&](const std::string& name) {
    const auto at = std::find_if(given.begin(), given.end(),
                                 [&](const auto& one) { return one.first == name; });
    return at == given.end() ? "" : at->second;
  };
  CHECK(certificates_inside(kSystem) == before + 1);
  CHECK(certificates_inside(value("SSL_CERT_FILE")) == before + 1);
  CHECK(certificates_inside(value("NODE_EXTRA_CA_CERTS")) == 1);
  CHECK(certificates_inside(value("SSL_CERT_DIR") + "/" + (*authority)->hashed_name()) == 1);
  CHECK(value("JAVA_TOOL_OPTIONS").empty());
  CHECK(contains(value("JDK_JAVA_OPTIONS"), "-Djavax.net.ssl.trustStore="));
  // The machine's own is what it was, and the subject cannot lift what was laid.
  CHECK_FALSE(std::filesystem::exists(RunTrust::kFolder));
  CHECK(run_inside({"umount", kSystem}).exit.status != 0);
  CHECK(run_inside({"sh", "-c", std::string("echo x >> ") + kSystem}).exit.status != 0);

  REQUIRE(world.in_mounts([&]() -> Result<> {
    trust.lift();
    return {};
  }));
  CHECK(certificates_inside(kSystem) == before);
  CHECK(certificates_inside(value("SSL_CERT_FILE")) == -1);
}
