#include "catcher/image/layer_reader.hpp"

#include <vector>

#include "archive.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"

using namespace telltale;
using namespace telltale::catcher::image;
using test::Packed;
using test::Pressed;

namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// All entries, or the error.
Result<std::vector<LayerEntry>> entries_of(const std::string& archive) {
  auto reader = LayerReader::open(bytes_of(archive), "layer x");
  if (!reader) return pass_on(reader.error());
  std::vector<LayerEntry> all;
  for (LayerEntry entry;;) {
    const auto more = reader->next(entry);
    if (!more) return pass_on(more.error());
    if (!*more) return all;
    all.push_back(entry);
  }
}

LayerEntry only_entry(const Packed& packed) {
  const auto all = entries_of(test::pack({packed}));
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  return all->front();
}

std::string why_not(const Packed& packed) {
  const auto all = entries_of(test::pack({packed}));
  REQUIRE_FALSE(all);
  CHECK(all.error().fault == Fault::input);
  return all.error().what;
}

}  // namespace

TEST_CASE("a layer is read plain, and compressed by gzip and zstd") {
  for (const auto pressed : {Pressed::plain, Pressed::gzip, Pressed::zstd}) {
    const auto archive =
        test::pack({{"usr", 'd', "", 0755}, {"usr/a", 'f', "text", 0600}}, pressed);
    auto reader = LayerReader::open(bytes_of(archive), "layer x");
    REQUIRE(reader);
    LayerEntry entry;
    REQUIRE(reader->next(entry).value());
    CHECK(entry.kind == LayerEntry::Kind::folder);
    REQUIRE(reader->next(entry).value());
    CHECK(entry.path == "usr/a");
    CHECK(entry.size == 4);
    CHECK(entry.mode == 0600);
    LayerReader::Piece piece;
    REQUIRE(reader->read(piece).value());
    CHECK(std::string(piece.bytes.begin(), piece.bytes.end()) == "text");
    CHECK_FALSE(reader->next(entry).value());
  }
}

TEST_CASE("a name is clean afterwards, and no alphabet is lost") {
  CHECK(only_entry({"./a//b/./c"}).path == "a/b/c");
  CHECK(only_entry({"/etc/passwd"}).path == "etc/passwd");
  CHECK(only_entry({"naïve/ü"}).path == "naïve/ü");
  CHECK(only_entry({"latin-\xfc"}).path == "latin-\xfc");
  CHECK(only_entry({"./", 'd'}).path.empty());
}

TEST_CASE(
    "a name or a hard link that leads out ends the reading; a symbolic link may say anything") {
  CHECK_THAT(why_not({"../planted"}), test::Holds("layer x has an entry that leads out"));
  CHECK_THAT(why_not({"a/../../planted"}), test::Holds("leads out"));
  CHECK_THAT(why_not({"a", 'h', "../../etc/shadow"}), test::Holds("a hard link that leads out"));
  CHECK(only_entry({"a", 'l', "/../../etc"}).target == "/../../etc");
  CHECK(only_entry({"a", 'h', "/etc/shadow"}).target == "etc/shadow");
}

TEST_CASE("whiteouts are told from files, and one of no name ends the reading") {
  const auto gone = only_entry({"etc/.wh.motd"});
  CHECK(gone.kind == LayerEntry::Kind::whiteout);
  CHECK(gone.path == "etc/motd");
  const auto opaque = only_entry({"var/.wh..wh..opq"});
  CHECK(opaque.kind == LayerEntry::Kind::opaque);
  CHECK(opaque.path == "var");
  CHECK_THAT(why_not({"etc/.wh..."}), test::Holds("a whiteout of no name"));
  CHECK_THAT(why_not({"etc/.wh.."}), test::Holds("a whiteout of no name"));
  CHECK_THAT(why_not({"etc/.wh."}), test::Holds("a whiteout of no name"));
}

TEST_CASE("what is no archive, and what is cut, is said") {
  const auto html = entries_of("<html>not found</html>");
  REQUIRE_FALSE(html);
  CHECK(html.error().fault == Fault::input);
  for (const auto pressed : {Pressed::plain, Pressed::gzip, Pressed::zstd}) {
    const auto archive =
        test::pack({{"a", 'f', std::string(100'000, 'a')}, {"b", 'f', "b"}}, pressed);
    CHECK_FALSE(entries_of(archive.substr(0, archive.size() / 3)));
  }
  const auto nothing = entries_of("");
  REQUIRE(nothing);
  CHECK(nothing->empty());
}

TEST_CASE("clean_path takes what is below, and nothing that leads out") {
  std::string path;
  CHECK(clean_path("a/./b//", path));
  CHECK(path == "a/b");
  CHECK(clean_path("", path));
  CHECK(path.empty());
  CHECK(clean_path("..a/b..", path));
  CHECK(path == "..a/b..");
  CHECK_FALSE(clean_path("..", path));
  CHECK_FALSE(clean_path("a/../b", path));
}
