#include "catcher/tls/java_trust_store.hpp"

#include <cstdlib>

#include "catcher/tls/run_authority.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale::catcher;
using telltale::test::contains;

TEST_CASE("Java's own keytool reads every certificate of a store, and its digest") {
  if (!telltale::test::require(telltale::test::have_program("keytool"), "keytool, of Java")) return;
  const telltale::test::TemporaryFolder folder;
  const auto one = (*RunAuthority::make())->pem();
  const auto two = (*RunAuthority::make())->pem();
  folder.write("store", java_trust_store("# the first\n" + one + "\n# and the second\n" + two));
  const auto command = "keytool -list -keystore " + (folder / "store").string() + " -storepass " +
                       kJavaStorePassword + " >" + (folder / "out").string() + " 2>&1";
  CHECK(std::system(command.c_str()) == 0);
  CHECK(contains(telltale::test::read_file(folder / "out"), "contains 2 entries"));
}

TEST_CASE("what is no certificate is left out") {
  CHECK(java_trust_store("") == java_trust_store("nothing\n"));
  CHECK(java_trust_store("").size() == 12 + 20);
  CHECK(java_trust_store("-----BEGIN CERTIFICATE-----\nAA\n").size() == 12 + 20);
}
