#include "catcher/tls/run_authority.hpp"

#include <cstdlib>

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using telltale::catcher::RunAuthority;
using telltale::test::contains;
using telltale::test::have_program;
using telltale::test::read_file;
using telltale::test::TemporaryFolder;

namespace {

struct Chain {
  explicit Chain(const std::string& name) {
    auto authority = RunAuthority::make();
    REQUIRE(authority);
    folder.write("root.pem", (*authority)->pem());
    folder.write("leaf.pem", (*authority)->leaf_pem(name));
  }
  // What openssl prints of `openssl ARGUMENTS`, run in the folder.
  [[nodiscard]] std::string openssl(const std::string& arguments) const {
    const auto command = "cd " + folder.path().string() + " && openssl " + arguments + " >out 2>&1";
    [[maybe_unused]] const int status = std::system(command.c_str());
    return read_file(folder / "out");
  }
  // By OpenSSL's own verification, at its strictest.
  [[nodiscard]] bool verifies(const std::string& check) const {
    return contains(
        openssl("verify -x509_strict -purpose sslserver -CAfile root.pem " + check + " leaf.pem"),
        "leaf.pem: OK");
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a leaf is that of its name, and of no other, by openssl's own verification") {
  if (!telltale::test::require(have_program("openssl"), "openssl")) return;
  const Chain chain("telemetry.example");
  CHECK(chain.verifies("-verify_hostname telemetry.example"));
  CHECK_FALSE(chain.verifies("-verify_hostname other.example"));
  CHECK_FALSE(chain.verifies("-verify_ip 203.0.113.9"));
  const auto text = chain.openssl("x509 -noout -text -in leaf.pem");
  CHECK(contains(text, "Issuer: CN = Telltale authority of one run"));
  CHECK(contains(text, "CA:FALSE"));
}

TEST_CASE("a numeric address has a leaf of its own kind") {
  if (!telltale::test::require(have_program("openssl"), "openssl")) return;
  CHECK(Chain("203.0.113.9").verifies("-verify_ip 203.0.113.9"));
  CHECK(Chain("2001:db8::9").verifies("-verify_ip 2001:db8::9"));
  CHECK_FALSE(Chain("203.0.113.9").verifies("-verify_hostname telemetry.example"));
}

TEST_CASE("another run's authority vouches for nothing of this one") {
  if (!telltale::test::require(have_program("openssl"), "openssl")) return;
  const Chain chain("telemetry.example");
  chain.folder.write("root.pem", (*RunAuthority::make())->pem());
  CHECK_FALSE(chain.verifies("-verify_hostname telemetry.example"));
}

TEST_CASE("the authority's file is found by its hash") {
  if (!telltale::test::require(have_program("openssl"), "openssl")) return;
  const Chain chain("telemetry.example");
  const auto authority = RunAuthority::make();
  chain.folder.write("hash.pem", (*authority)->pem());
  CHECK(chain.openssl("x509 -noout -subject_hash -in hash.pem") + ".0" ==
        (*authority)->hashed_name().substr(0, 8) + "\n.0");
}

TEST_CASE("names: one twice has one leaf; long ones have one; what is no name has none") {
  const auto made = RunAuthority::make();
  auto& authority = **made;
  CHECK(authority.leaf_pem("a.example") == authority.leaf_pem("a.example"));
  CHECK(authority.leaf_pem("a.example") != authority.leaf_pem("b.example"));
  CHECK_FALSE(authority.leaf_pem(std::string(200, 'a') + ".example").empty());
  CHECK(authority.leaf_pem("").empty());
  CHECK(authority.leaf_pem("a b").empty());
  CHECK(authority.leaf_pem("a\n").empty());
  CHECK(authority.leaf_pem(std::string("a\0b", 3)).empty());
  CHECK(authority.leaf_pem(std::string(256, 'a')).empty());
  CHECK_FALSE(authority.leaf_pem("DNS:x,IP:y,email:copy").empty());  // nothing but octets
}
