// A writer of pcapng (draft-ietf-opsawg-pcapng), because no library writes packet comments.
//
// One section, one Ethernet interface with timestamps in nanoseconds, one enhanced packet block a
// packet. Packets stream to the file; what process a packet belongs to is known only later, so
// annotate() rewrites the file once, block by block, with a comment (opt_comment) on each packet.
// In memory: one block.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

class PcapngWriter {
 public:
  // A new file, readable by its owner only. `snaplen`: bytes kept of a packet. Fault::instrument.
  [[nodiscard]] static Result<PcapngWriter> create(const std::filesystem::path& path,
                                                   std::uint32_t snaplen,
                                                   const std::string& interface);

  // `captured` bytes of `bytes`, of `length` on the wire. `at`: nanoseconds since 1970. A failed
  // write is told by close().
  void add(std::uint64_t at, const std::uint8_t* bytes, std::uint32_t captured,
           std::uint32_t length);
  [[nodiscard]] Result<> close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closer> file_;
  bool failed_ = false;
};

// Gives each packet of a file of this writer the comment that `describe` finds for its bytes; none
// when empty. The file is replaced when all is written.
using DescribePacket =
    std::function<std::string(const std::uint8_t* bytes, std::uint32_t captured)>;
[[nodiscard]] Result<> annotate(const std::filesystem::path& path, const DescribePacket& describe);

}  // namespace telltale::catcher
