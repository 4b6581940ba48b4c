#include "catcher/image/documents.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

using namespace telltale;
using namespace telltale::catcher::image;

namespace {

const std::string kDigest = "sha256:" + std::string(64, 'a');

std::string descriptor(const std::string& more = {}) {
  return R"({"mediaType":"x","digest":")" + kDigest + R"(","size":7)" + more + "}";
}

}  // namespace

TEST_CASE("an index names its manifests, with platform and name") {
  const auto index =
      parse_manifest(R"({"manifests":[)" +
                         descriptor(R"(,"platform":{"os":"linux","architecture":"arm64"},)"
                                    R"("annotations":{"org.opencontainers.image.ref.name":"v1"})") +
                         "]}",
                     "index.json");
  REQUIRE(index);
  REQUIRE(index->is_index());
  const auto& manifest = index->manifests.front();
  CHECK(manifest.architecture == "arm64");
  CHECK(manifest.name == "v1");
  CHECK(manifest.size == 7);
}

TEST_CASE("a manifest names its configuration and its layers") {
  const auto manifest = parse_manifest(
      R"({"config":)" + descriptor() + R"(,"layers":[)" + descriptor() + "]}", "blob");
  REQUIRE(manifest);
  CHECK_FALSE(manifest->is_index());
  CHECK(manifest->layers.size() == 1);
}

TEST_CASE("a configuration: command, environment, user, folder") {
  const auto config = parse_config(
      R"({"os":"linux","architecture":"amd64","config":{"Env":["A=b=c","D"],"Cmd":["x","y z"],)"
      R"("Entrypoint":null,"User":"app:0","WorkingDir":"srv"},"rootfs":{"diff_ids":["q"]}})",
      "blob");
  REQUIRE(config);
  CHECK(config->environment ==
        std::vector<std::pair<std::string, std::string>>{{"A", "b=c"}, {"D", ""}});
  CHECK(config->command == std::vector<std::string>{"x", "y z"});
  CHECK(config->entrypoint.empty());
  CHECK(config->user == "app:0");
  CHECK(config->folder == "/srv");
  CHECK(config->diff_ids.size() == 1);
}

TEST_CASE("what is wrong with a document is said, with its name") {
  const auto why = [](const std::string& text) {
    const auto made = parse_manifest(text, "index.json");
    REQUIRE_FALSE(made);
    CHECK(made.error().fault == Fault::input);
    CHECK_FALSE(made.error().fix.empty());
    return made.error().what;
  };
  CHECK(why("") == "index.json is not JSON");
  CHECK(why("<html>") == "index.json is not JSON");
  CHECK_THAT(why("[]"), test::Holds("names neither manifests nor a configuration"));
  CHECK_THAT(why(R"({"manifests":[{"digest":"sha512:1","size":1}]})"),
             test::Holds("without size and sha256 digest"));
  CHECK_THAT(why(R"({"manifests":[{"digest":")" + kDigest + R"(","size":-1}]})"),
             test::Holds("without size"));
  CHECK_THAT(why(R"({"config":)" + descriptor() + R"(,"layers":7})"), test::Holds("layer"));
  CHECK_THAT(why(std::string(kDocumentLimit + 1, ' ')), test::Holds("longer than"));
  CHECK_FALSE(parse_config(R"({"config":{"Cmd":"sh"}})", "blob"));
  CHECK_FALSE(parse_config(R"({"config":{"Cmd":["a\u0000b"]}})", "blob"));
  CHECK_FALSE(parse_saved_images(R"({"Config":"x"})", "manifest.json"));
}

TEST_CASE("a digest is sha256 and nothing that could be a path") {
  CHECK(is_digest(kDigest));
  CHECK_FALSE(is_digest("sha256:" + std::string(63, 'a') + "/"));
  CHECK_FALSE(is_digest("sha256:" + std::string(64, 'A')));
  CHECK_FALSE(is_digest("sha256:../../../../etc/passwd"));
}
