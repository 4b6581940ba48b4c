#include "catcher/capture/pcapng.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace telltale::catcher {

namespace {

// Block types and options of the draft, sections 3 and 4. Numbers are in this machine's byte order,
// which the section header's magic tells the reader.
constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a;
constexpr std::uint32_t kInterface = 1;
constexpr std::uint32_t kEnhancedPacket = 6;
constexpr std::uint16_t kEnd = 0;
constexpr std::uint16_t kComment = 1;
constexpr std::uint16_t kUserApplication = 4;
constexpr std::uint16_t kInterfaceName = 2;
constexpr std::uint16_t kTimeResolution = 9;
constexpr std::uint16_t kLinkTypeEthernet = 1;
constexpr std::size_t kCommentLimit = 1000;
constexpr std::uint32_t kBlockLimit = 1 << 20;  // of what we read back: our own packets are smaller

std::size_t padded(std::size_t size) {
  return (size + 3) & ~std::size_t{3};
}

// A block under construction: type and length first, the length again at its end.
class Block {
 public:
  explicit Block(std::uint32_t type) {
    put(type);
    put(std::uint32_t{0});
  }
  template <class Number>
  void put(Number value) {
    append(&value, sizeof value);
  }
  void append(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  void append_padded(const void* data, std::size_t size) {
    append(data, size);
    bytes_.resize(bytes_.size() + padded(size) - size);
  }
  void option(std::uint16_t code, const void* data, std::size_t size) {
    put(code);
    put(static_cast<std::uint16_t>(size));
    append_padded(data, size);
  }
  void option(std::uint16_t code, const std::string& text) {
    option(code, text.data(), text.size());
  }
  void end_options() {
    put(kEnd);
    put(std::uint16_t{0});
  }
  bool write(std::FILE* file) {
    const auto length = static_cast<std::uint32_t>(bytes_.size() + sizeof(std::uint32_t));
    put(length);
    std::memcpy(bytes_.data() + sizeof(std::uint32_t), &length, sizeof length);
    return std::fwrite(bytes_.data(), 1, bytes_.size(), file) == bytes_.size();
  }

 private:
  std::vector<char> bytes_;
};

bool write_head(std::FILE* file, std::uint32_t snaplen, const std::string& interface) {
  Block section(kSectionHeader);
  section.put(std::uint32_t{0x1a2b3c4d});
  section.put(std::uint16_t{1});
  section.put(std::uint16_t{0});
  section.put(std::int64_t{-1});  // length of the section: not said
  section.option(kUserApplication, "telltale");
  section.end_options();
  Block description(kInterface);
  description.put(kLinkTypeEthernet);
  description.put(std::uint16_t{0});
  description.put(snaplen);
  description.option(kInterfaceName, interface);
  const std::uint8_t nanoseconds = 9;
  description.option(kTimeResolution, &nanoseconds, sizeof nanoseconds);
  description.end_options();
  return section.write(file) && description.write(file);
}

std::unique_ptr<std::FILE, int (*)(std::FILE*)> open_new(const std::filesystem::path& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  return {fd < 0 ? nullptr : fdopen(fd, "w"), std::fclose};
}

tl::unexpected<Error> cannot_write(const std::filesystem::path& path) {
  return fail(Fault::instrument,
              fmt::format("{} could not be written: {}", path.string(), std::strerror(errno)),
              "free space there, or choose another folder with --out");
}

struct BlockHead {
  std::uint32_t type = 0;
  std::uint32_t length = 0;
};
struct PacketHead {
  std::uint32_t interface, time_high, time_low, captured, length;
};

// One block of our own file, as it is or with a comment. False: not written.
bool copy_block(const BlockHead& head, const std::vector<char>& body,
                const DescribePacket& describe, std::FILE* to) {
  Block block(head.type);
  const auto size = body.size() - sizeof(std::uint32_t);  // less the second length
  PacketHead packet{};
  std::string comment;
  if (head.type == kEnhancedPacket && size >= sizeof packet) {
    std::memcpy(&packet, body.data(), sizeof packet);
    if (packet.captured <= size - sizeof packet)
      comment = describe(reinterpret_cast<const std::uint8_t*>(body.data()) + sizeof packet,
                         packet.captured);
  }
  block.append(body.data(), size);
  if (!comment.empty()) {
    if (comment.size() > kCommentLimit) comment.resize(kCommentLimit);
    block.option(kComment, comment);
    block.end_options();
  }
  return block.write(to);
}

}  // namespace

Result<PcapngWriter> PcapngWriter::create(const std::filesystem::path& path, std::uint32_t snaplen,
                                          const std::string& interface) {
  PcapngWriter writer;
  writer.path_ = path;
  writer.file_.reset(open_new(path).release());
  if (!writer.file_ || !write_head(writer.file_.get(), snaplen, interface))
    return cannot_write(path);
  return writer;
}

void PcapngWriter::add(std::uint64_t at, const std::uint8_t* bytes, std::uint32_t captured,
                       std::uint32_t length) {
  Block block(kEnhancedPacket);
  block.put(PacketHead{0, static_cast<std::uint32_t>(at >> 32), static_cast<std::uint32_t>(at),
                       captured, length});
  block.append_padded(bytes, captured);
  failed_ = !block.write(file_.get()) || failed_;
}

Result<> PcapngWriter::close() {
  if (!file_) return {};
  failed_ = std::fflush(file_.get()) != 0 || failed_;
  file_.reset();
  if (failed_) return cannot_write(path_);
  return {};
}

Result<> annotate(const std::filesystem::path& path, const DescribePacket& describe) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> from(std::fopen(path.c_str(), "re"),
                                                             std::fclose);
  auto other = path;
  other += ".annotated";
  auto to = open_new(other);
  if (!from || !to) return cannot_write(other);
  std::vector<char> body;
  for (BlockHead head; std::fread(&head, sizeof head, 1, from.get()) == 1;) {
    if (head.length < sizeof head + sizeof(std::uint32_t) || head.length > kBlockLimit)
      return fail(Fault::instrument, fmt::format("{} is damaged", path.string()));
    body.resize(head.length - sizeof head);
    if (std::fread(body.data(), body.size(), 1, from.get()) != 1 ||
        !copy_block(head, body, describe, to.get()))
      return cannot_write(other);
  }
  if (std::fflush(to.get()) != 0 || rename(other.c_str(), path.c_str()) != 0)
    return cannot_write(other);
  return {};
}

}  // namespace telltale::catcher
