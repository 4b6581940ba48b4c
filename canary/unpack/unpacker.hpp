// Decoders that turn stored bytes into the bytes that were stored.
//
// A new one is one file with one class, and one line in registry.cpp. It must account for its
// input: what it did not understand is counted or reported, never dropped in silence.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::canary {

// Bytes that can be read anywhere: a file, or a decoded archive in memory.
class Blob {
 public:
  virtual ~Blob() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;  // bytes; of a file, when it was opened
  // As pread(2): fewer bytes than asked for is no error, 0 is the end, -1 is one (errno).
  [[nodiscard]] virtual ssize_t read_at(std::uint64_t offset, char* into,
                                        std::size_t size) const = 0;
};

// Takes what comes out. Everything between one begin() and the next is one stream, searched as if
// it were a file.
class Output {
 public:
  virtual ~Output() = default;
  // `member`: the name inside an archive; empty where a format holds one stream without a name.
  virtual void begin(std::string_view member) = 0;
  // False: stop, a limit is reached or the run was interrupted.
  [[nodiscard]] virtual bool write(std::string_view bytes) = 0;
};

struct Unpacked {
  std::uint64_t passed_over = 0;  // bytes of the blob in no whole member: junk, padding, damage
  std::string incomplete;  // the rest of a sentence that begins with the name of the blob, when
                           // something in it could not be decoded: "ends inside a member"
};

class Unpacker {
 public:
  virtual ~Unpacker() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // in the path of a hit: "gzip"
  // By the first bytes of the blob (up to kHeadSize).
  [[nodiscard]] virtual bool recognises(std::string_view head) const = 0;
  [[nodiscard]] virtual Unpacked unpack(const Blob& blob, Output& output) const = 0;
};

// Every registered unpacker.
[[nodiscard]] const std::vector<const Unpacker*>& unpackers();
// The first that recognises these bytes, or nullptr.
[[nodiscard]] const Unpacker* find_unpacker(std::string_view head);

}  // namespace telltale::canary
