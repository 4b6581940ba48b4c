#include "canary/headers.hpp"

#include "canary/magic.hpp"
#include "canary/mint.hpp"
#include "material.hpp"
#include "support/catch.hpp"

using namespace telltale::canary;
using namespace std::string_literals;

TEST_CASE("a class is what a file has in common with its siblings") {
  const std::pair<const char*, const char*> classes[] = {{"orders.ibd", ".ibd"},
                                                         {"16384", "N"},
                                                         {"1259_fsm", "N_fsm"},
                                                         {"binlog.000001", "binlog.N"},
                                                         {"ib_logfile0", "ib_logfileN"},
                                                         {"notes.db-wal", ".db-wal"},
                                                         {"000000010000000000000001", "HEX"},
                                                         {".hidden", ".hidden"},
                                                         {"dump.", "dump."},
                                                         {"appendonly.aof.1.incr.aof", ".aof"}};
  for (const auto& [name, expected] : classes) CHECK(file_class(name) == expected);
}

TEST_CASE("files are grouped by class and by what they look like") {
  HeaderTable table;
  table.add("d/b.db", "SQLite format 3\0 and more"s, "");
  table.add("d/a.db", "SQLite format 3\0 and more"s, "");
  table.add("d/c.db", random_bytes(512), "");
  HeaderTable other;
  other.add("d/d.db", random_bytes(512), "");
  other.add("d/notes.log", "a line of text\n", "");
  other.add("d/e.db", std::string(512, '\0'), "");
  table.merge(other);

  const auto rows = table.rows();
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].known_as == "SQLite database");
  CHECK(rows[0].files == 2);
  CHECK(rows[0].distinct == 1);
  CHECK(rows[0].example == "d/a.db");
  CHECK(rows[1].known_as == "no known magic");
  CHECK(rows[1].distinct == 2);
  CHECK(rows[2].known_as == "zeros");
  CHECK(rows[3].known_as == "text");
}

TEST_CASE("a magic of a table is in its footer") {
  HeaderTable table;
  table.add("x.sst", random_bytes(512), "\xf7\xcf\xf4\x85\xb7\x41\xe2\x88");
  CHECK(table.rows()[0].known_as == "RocksDB table");
}

TEST_CASE("random bytes are known as nothing") {
  int known = 0;
  for (int i = 0; i < 20'000; ++i)
    if (find_magic(random_bytes(512)) != nullptr) ++known;
  CHECK(known <= 1);
}

TEST_CASE("a magic is not read past the end of a short file") {
  const std::string_view sqlite("SQLite format 3\0", 16);
  for (std::size_t size = 0; size < sqlite.size(); ++size)
    CHECK(find_magic(sqlite.substr(0, size)) == nullptr);
  REQUIRE(find_magic(sqlite) != nullptr);
  CHECK(find_magic(gzipped("x"))->name == "gzip");
}
