#include "catcher/image/unpack.hpp"

#include <sys/stat.h>

#include "archive.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::catcher::image;
using test::Packed;
namespace fs = std::filesystem;

namespace {

// A place with a root folder to be filled, and something beside it that must stay as it is.
struct Place {
  test::TemporaryFolder folder;
  fs::path root = folder / "root";
  fs::path outside = folder / "outside";
  Unpacker unpacker;
  int number = 0;

  explicit Place(const UnpackLimits& limits = {})
      : unpacker(std::move(Unpacker::make(root, limits).value())) {
    folder.write("outside/file", "mine");
  }

  Result<> add(const std::vector<Packed>& entries) {
    const auto layer = folder.write("layer" + std::to_string(++number), test::pack(entries));
    return unpacker.apply(layer, "layer " + std::to_string(number));
  }

  // Nothing was made there, and nothing changed.
  void check_outside() const {
    CHECK(test::read_file(outside / "file") == "mine");
    CHECK(std::distance(fs::directory_iterator(outside), {}) == 1);
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2 + number);
  }
};

}  // namespace

TEST_CASE("layers lie over each other: files are replaced, whiteouts take out what is below only") {
  Place place;
  REQUIRE(place.add({{"etc", 'd', "", 0755},
                     {"etc/motd", 'f', "lower"},
                     {"gone/deep/file", 'f', "lower"},
                     {"var/old", 'f', "lower"}}));
  // The whiteouts come last in their layer: what it brings itself stays.
  REQUIRE(place.add({{"etc/motd", 'f', "upper"},
                     {"var/new", 'f', "upper"},
                     {"var/.wh..wh..opq"},
                     {"back", 'f', "upper"},
                     {".wh.gone"},
                     {".wh.back"}}));
  place.unpacker.finish();
  CHECK(test::read_file(place.root / "etc/motd") == "upper");
  CHECK(test::read_file(place.root / "var/new") == "upper");
  CHECK(test::read_file(place.root / "back") == "upper");
  CHECK_FALSE(fs::exists(place.root / "var/old"));
  CHECK_FALSE(fs::exists(place.root / "gone"));
}

TEST_CASE("modes come last, so that a closed folder can still be filled") {
  Place place;
  REQUIRE(place.add({{"closed", 'd', "", 0500}, {"closed/in", 'd', "", 0555}, {"closed/in/f"}}));
  REQUIRE(place.add({{"closed/in/later", 'f', "text", 04755}}));
  place.unpacker.finish();
  CHECK((fs::status(place.root / "closed").permissions() & fs::perms::mask) == fs::perms(0500));
  CHECK((fs::status(place.root / "closed/in").permissions() & fs::perms::mask) == fs::perms(0555));
  CHECK(test::read_file(place.root / "closed/in/later") == "text");
  fs::permissions(place.root / "closed", fs::perms(0700));
  fs::permissions(place.root / "closed/in", fs::perms(0700));
}

TEST_CASE("a link that leads out is followed inside, for files, folders and whiteouts alike") {
  Place place;
  REQUIRE(place.add({{"abs", 'l', place.outside.string()},
                     {"up", 'l', "../../../../.." + place.outside.string()},
                     {"abs-file", 'l', (place.outside / "file").string()}}));
  CHECK_FALSE(fs::exists(place.root / "outside"));
  // The folders that they lead to are not there, inside.
  CHECK_FALSE(place.add({{"abs/planted", 'f', "planted"}}));
  CHECK_FALSE(place.add({{"up/planted", 'f', "planted"}}));
  // A file in the place of a link replaces the link, and a whiteout takes it, not what it names.
  REQUIRE(place.add({{"abs-file", 'f', "planted"}}));
  REQUIRE(place.add({{".wh.up"}, {"abs/.wh.file"}, {"abs/.wh..wh..opq"}}));
  place.unpacker.finish();
  place.check_outside();
  CHECK(test::read_file(place.root / "abs-file") == "planted");
}

TEST_CASE("an absolute link within the image leads to its place inside") {
  Place place;
  REQUIRE(place.add({{"real", 'd', "", 0755}, {"way", 'l', "/real"}, {"way/file", 'f', "text"}}));
  CHECK(test::read_file(place.root / "real/file") == "text");
}

TEST_CASE("a hard link is to a file inside, and never through a link") {
  Place place;
  REQUIRE(place.add({{"a", 'f', "text"},
                     {"b", 'h', "a"},
                     {"out", 'l', (place.outside / "file").string()},
                     {"c", 'h', "out"}}));
  CHECK(fs::hard_link_count(place.root / "a") == 2);
  CHECK(fs::is_symlink(place.root / "c"));
  CHECK_FALSE(place.add({{"d", 'h', (place.outside / "file").string()}}));
  place.check_outside();
}

TEST_CASE("a whiteout of a folder that is a link leaves what the link names") {
  Place place;
  REQUIRE(place.add({{"real/file", 'f', "text"}, {"way", 'l', "real"}}));
  REQUIRE(place.add({{".wh.way"}}));
  CHECK_FALSE(fs::is_symlink(place.root / "way"));
  CHECK(test::read_file(place.root / "real/file") == "text");
}

TEST_CASE("devices are not made, and counted; pipes are") {
  Place place;
  REQUIRE(place.add({{"disk", 'b'}, {"pipe", 'p'}}));
  CHECK_FALSE(fs::exists(place.root / "disk"));
  CHECK(fs::is_fifo(place.root / "pipe"));
  CHECK(place.unpacker.report().devices == 1);
}

TEST_CASE("an image that is too large ends before it is written") {
  const std::string big(1000, 'x');
  Place place({2500, 10});
  REQUIRE(place.add({{"a", 'f', big}, {"b", 'f', big}}));
  const auto third = place.add({{"c", 'f', big}});
  REQUIRE_FALSE(third);
  CHECK(third.error().fault == Fault::input);
  CHECK_THAT(third.error().what, test::Holds("layer 2: the image is larger than 2500 bytes"));
  CHECK_FALSE(fs::exists(place.root / "c"));

  Place many({1 << 20, 3});
  CHECK_FALSE(many.add({{"a"}, {"b"}, {"c"}, {"d"}}));
  CHECK(fs::is_empty(many.root));
}

TEST_CASE("a folder in the place of a file, and a file in the place of a folder") {
  Place place;
  REQUIRE(place.add({{"a/inside", 'f', "x"}, {"b", 'f', "x"}}));
  REQUIRE(place.add({{"a", 'f', "now a file"}, {"b", 'd', "", 0755}, {"b/c", 'f', "y"}}));
  CHECK(test::read_file(place.root / "a") == "now a file");
  CHECK(test::read_file(place.root / "b/c") == "y");
  // A file where the archive needs a folder: it does not fit together.
  const auto broken = place.add({{"a/below", 'f', "x"}});
  REQUIRE_FALSE(broken);
  CHECK_THAT(broken.error().what, test::Holds("a/below"));
}
