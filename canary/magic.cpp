// Each line with the document or source file that says so.
#include "canary/magic.hpp"

#include <algorithm>
#include <array>

namespace telltale::canary {

namespace {

using namespace std::string_view_literals;

constexpr bool kHides = true;

constexpr std::array kMagics{
    // Engines.
    Magic{"SQLite database", 0, "SQLite format 3\0"sv},        // sqlite.org/fileformat2 1.3
    Magic{"SQLite write-ahead log", 0, "\x37\x7f\x06\x82"sv},  // sqlite.org/fileformat2 4.1
    Magic{"SQLite write-ahead log", 0, "\x37\x7f\x06\x83"sv},  // (the other byte order)
    Magic{"SQLite rollback journal", 0, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"sv},  // fileformat2 3
    Magic{"Redis RDB", 0, "REDIS00"sv},                              // redis, rdb.c rdbSaveRio
    Magic{"Redis append-only file", 0, "*2\r\n$6\r\nSELECT\r\n"sv},  // redis, aof.c
    Magic{"Redis append-only manifest", 0, "file appendonly."sv},    // redis, aof.c
    Magic{"PostgreSQL dump", 0, "PGDMP"sv},                          // pg_backup_archiver.c
    Magic{"PostgreSQL relation map", 0, "\x17\x27\x59\x00"sv},       // relmapper.c
    // pg_control.h: the system identifier, then PG_CONTROL_VERSION 1201, 1300, 1700, 1800.
    Magic{"PostgreSQL control file", 8, "\xb1\x04\0\0"sv},
    Magic{"PostgreSQL control file", 8, "\x14\x05\0\0"sv},
    Magic{"PostgreSQL control file", 8, "\xa4\x06\0\0"sv},
    Magic{"PostgreSQL control file", 8, "\x08\x07\0\0"sv},
    // xlog_internal.h: XLOG_PAGE_MAGIC 0xD1xx, XLP_LONG_HEADER, timeline; the segment size
    // (16 MiB) and the block size (8 KiB) of the long header.
    Magic{"PostgreSQL write-ahead log", 0,
          "?\xd1?\0????"
          "????????"
          "????????"
          "????????"
          "\0\0\0\x01\0\x20\0\0"sv,
          false,
          ".x.x...."
          "........"
          "........"
          "........"
          "xxxxxxxx"sv},
    // bufpage.h: pd_flags below 256, pd_special of 8192 at most, page size 8192 with version 4.
    Magic{"PostgreSQL page", 11,
          "\0"
          "????"
          "?"
          "\x20\x04\x20"sv,
          false,
          "x"
          "...."
          "."
          "xxx"sv},
    Magic{"PostgreSQL page", 11,
          "\0"
          "????"
          "?"
          "\x1f\x04\x20"sv,
          false,
          "x"
          "...."
          "."
          "xxx"sv},
    // fil0fil.h, fsp0fsp.h: page 0, no page before it, FIL_PAGE_TYPE_FSP_HDR.
    Magic{"InnoDB tablespace", 4,
          "\0\0\0\0"
          "????????"
          "????????"
          "\0\x08"sv,
          false,
          "xxxx"
          "........"
          "........"
          "xx"sv},
    Magic{"MariaDB redo log", 0, "Phys"sv},                // log0log.h FORMAT_10_8
    Magic{"MariaDB encrypted redo log", 0, "\xd0hys"sv},   // log0log.h FORMAT_ENC_10_8
    Magic{"MySQL or MariaDB redo log", 16, "MariaDB "sv},  // log0log.h LOG_HEADER_CREATOR
    Magic{"MySQL or MariaDB redo log", 16, "MySQL "sv},    // log0constants.h LOG_HEADER_CREATOR
    Magic{"MySQL or MariaDB binary log", 0,
          "\xfe"
          "bin"sv},  // log_event.h BINLOG_MAGIC
    Magic{"MySQL encrypted binary log", 0,
          "\xfd"
          "bin"sv},                                       // rpl_log_encryption.h
    Magic{"Aria index", 0, "\xfe\xfe\x09\x03"sv},         // ma_static.c maria_file_magic
    Magic{"Aria log", 0, "\xfe\xfe\x0b\x01MARIALOG"sv},   // ma_loghandler.c
    Magic{"Aria control file", 0, "\xfe\xfe\x0c\x01"sv},  // ma_control_file.c
    Magic{"LMDB", 16, "\xde\xc0\xef\xbe"sv},              // mdb.c MDB_MAGIC
    Magic{"bbolt", 16, "\xed\xda\x0c\xed"sv},             // bbolt, db.go magic
    Magic{"Berkeley DB b-tree", 12, "\x62\x31\x05\0"sv},  // dbmeta, DB_BTREEMAGIC
    Magic{"Berkeley DB hash", 12, "\x61\x15\x06\0"sv},    // dbmeta, DB_HASHMAGIC
    Magic{"WiredTiger file", 0, "\x41\xd8\x01\0"sv},      // block.h WT_BLOCK_MAGIC
    Magic{"LevelDB or RocksDB pointer to its manifest", 0, "MANIFEST-"sv},  // leveldb, impl.md
    // Encryption that says so.
    Magic{"LUKS", 0, "LUKS\xba\xbe"sv},          // LUKS on-disk format 1.2.3 and 2, 2.1
    Magic{"OpenSSL salted", 0, "Salted__"sv},    // openssl-enc(1), apps/enc.c
    Magic{"age", 0, "age-encryption.org/v1"sv},  // C2SP age.md
    Magic{"PGP armour", 0, "-----BEGIN PGP"sv},  // RFC 9580 6.2
    Magic{"PEM", 0, "-----BEGIN "sv},            // RFC 7468 2
    // Compressed.
    Magic{"gzip", 0, "\x1f\x8b\x08"sv, kHides},  // RFC 1952 2.3.1
    Magic{"zip", 0, "PK\x03\x04"sv, kHides},     // APPNOTE 4.3.7
    Magic{"xz", 0,
          "\xfd"
          "7zXZ\0"sv,
          kHides},                                              // xz-file-format 2.1.1.1
    Magic{"zstd", 0, "\x28\xb5\x2f\xfd"sv, kHides},             // RFC 8878 3.1.1
    Magic{"bzip2", 0, "BZh?1AY&SY"sv, kHides, "xxx.xxxxxx"sv},  // bzip2, compress.c
    Magic{"LZ4 frame", 0, "\x04\x22\x4d\x18"sv, kHides},        // lz4_Frame_format.md
    Magic{"lzip", 0, "LZIP\x01"sv, kHides},                     // lzip manual, file format
    Magic{"lzop", 0, "\x89LZO\0\r\n\x1a\n"sv, kHides},          // lzop, lzop.c
    Magic{"snappy frames", 0, "\xff\x06\0\0sNaPpY"sv, kHides},  // snappy framing_format.txt 4.1
    Magic{"7z", 0, "7z\xbc\xaf\x27\x1c"sv, kHides},             // 7zFormat.txt
    Magic{"RAR", 0, "Rar!\x1a\x07"sv, kHides},                  // RAR 5.0 technote
    Magic{"Parquet", 0, "PAR1"sv, kHides},                      // parquet-format README
    Magic{"ORC", 0, "ORC\x0a"sv, kHides},                       // ORC v1 specification
    Magic{"git pack", 0, "PACK\0\0\0\x02"sv, kHides},           // gitformat-pack(5)
    // Not compressed.
    Magic{"tar", 257, "ustar"sv},  // POSIX.1 pax, ustar interchange format
    Magic{"ELF", 0,
          "\x7f"
          "ELF"sv},                             // gABI chapter 4
    Magic{"systemd journal", 0, "LPKSHHRH"sv},  // systemd JOURNAL_FILE_FORMAT
};

constexpr std::array kFooters{
    Magic{"LevelDB table", 0, "\x57\xfb\x80\x8b\x24\x75\x47\xdb"sv},  // leveldb, format.h
    Magic{"RocksDB table", 0,
          "\xf7\xcf\xf4\x85\xb7\x41\xe2\x88"sv},  // block_based_table_builder.cc
};

bool fits(const Magic& magic, std::string_view head) {
  if (head.size() < magic.offset + magic.bytes.size()) return false;
  const auto part = head.substr(magic.offset, magic.bytes.size());
  if (magic.mask.empty()) return part == magic.bytes;
  for (std::size_t i = 0; i < part.size(); ++i)
    if (magic.mask[i] != '.' && part[i] != magic.bytes[i]) return false;
  return true;
}

template <class Table>
const Magic* first_fit(const Table& table, std::string_view bytes) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Magic& magic) { return fits(magic, bytes); });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const Magic* find_magic(std::string_view head) {
  return first_fit(kMagics, head);
}

const Magic* find_footer_magic(std::string_view tail) {
  return first_fit(kFooters, tail);
}

}  // namespace telltale::canary
