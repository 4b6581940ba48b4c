#include "sweep/readers/go_build_information.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace telltale::sweep {

namespace {

using namespace std::string_view_literals;

constexpr auto kMagic = "\xff Go buildinf:"sv;
constexpr std::uint64_t kHeader = 32;
constexpr std::uint64_t kAlign = 16;
constexpr std::uint64_t kChunk = 1 << 20;
constexpr std::uint64_t kMostInformation = 16
                                           << 20;  // of module information; real ones are kilobytes
constexpr unsigned kBigEndian = 1, kInline = 2;

unsigned byte(const std::string& bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// The blob, from its magic to the end of its section or segment.
std::optional<ElfRange> find_blob(const ElfFile& elf, const ElfRange& where) {
  for (std::uint64_t done = 0; done + kHeader <= where.size; done += kChunk) {
    // Overlaps the next chunk by a header, so that none is missed on the border.
    const auto chunk = elf.read(where.offset + done, std::min(kChunk + kHeader, where.size - done));
    if (!chunk) return std::nullopt;
    for (auto at = chunk->find(kMagic); at != std::string::npos; at = chunk->find(kMagic, at + 1)) {
      const auto into = done + at;
      if ((where.address + into) % kAlign == 0 && into + kHeader <= where.size)
        return ElfRange{where.offset + into, where.size - into, where.address + into};
    }
  }
  return std::nullopt;
}

struct Text {
  std::string value;
  std::uint64_t end = 0;  // offset just after it, from the start of the range
};

std::optional<Text> inline_text(const ElfFile& elf, const ElfRange& blob, std::uint64_t start) {
  if (start >= blob.size) return std::nullopt;
  const auto prefix = elf.read(blob.offset + start, std::min<std::uint64_t>(10, blob.size - start));
  if (!prefix) return std::nullopt;
  std::uint64_t length = 0;
  std::size_t used = 0;
  for (bool more = true; more; ++used) {
    if (used >= prefix->size() || used >= 5) return std::nullopt;  // 5 bytes carry kMostInformation
    length |= static_cast<std::uint64_t>(byte(*prefix, used) & 0x7f) << (7 * used);
    more = (byte(*prefix, used) & 0x80) != 0;
  }
  start += used;
  if (length > kMostInformation || length > blob.size - start) return std::nullopt;
  auto text = elf.read(blob.offset + start, length);
  if (!text) return std::nullopt;
  return Text{std::move(*text), start + length};
}

std::uint64_t pointer(const std::string& bytes, std::size_t at, std::size_t width, bool big) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value = value << 8 | byte(bytes, big ? at + i : at + width - 1 - i);
  return value;
}

// A Go string: at `address` lie a pointer and a length.
std::optional<std::string> pointed_text(const ElfFile& elf, std::uint64_t address,
                                        std::size_t width, bool big) {
  const auto header_at = elf.at_address(address);
  if (!header_at || header_at->size < 2 * width) return std::nullopt;
  const auto header = elf.read(header_at->offset, 2 * width);
  if (!header) return std::nullopt;
  const auto length = pointer(*header, width, width, big);
  if (length == 0) return std::string();
  const auto text_at = elf.at_address(pointer(*header, 0, width, big));
  if (!text_at || length > kMostInformation || length > text_at->size) return std::nullopt;
  return elf.read(text_at->offset, length);
}

std::optional<GoBuildInformation> decode(const ElfFile& elf, const ElfRange& blob) {
  const auto header = elf.read(blob.offset, kHeader);
  if (!header) return std::nullopt;
  const auto flags = byte(*header, 15);
  if ((flags & kInline) != 0) {
    auto version = inline_text(elf, blob, kHeader);
    if (!version) return std::nullopt;
    auto modules = inline_text(elf, blob, version->end);
    if (!modules) return std::nullopt;
    return GoBuildInformation{std::move(version->value), std::move(modules->value)};
  }
  const std::size_t width = byte(*header, 14);
  if (width != 4 && width != 8) return std::nullopt;
  const bool big = (flags & kBigEndian) != 0;
  auto version = pointed_text(elf, pointer(*header, 16, width, big), width, big);
  auto modules = pointed_text(elf, pointer(*header, 16 + width, width, big), width, big);
  if (!version || !modules) return std::nullopt;
  return GoBuildInformation{std::move(*version), std::move(*modules)};
}

std::string without_sentinels(const std::string& text) {
  constexpr std::size_t kSentinel = 16;
  if (text.size() <= 2 * kSentinel || text[text.size() - kSentinel - 1] != '\n') return {};
  return text.substr(kSentinel, text.size() - 2 * kSentinel);
}

}  // namespace

Result<GoBuildInformation> read_go_build_information(const ElfFile& elf, const std::string& name) {
  auto where = elf.section(".go.buildinfo");
  if (!where) where = elf.first_data_segment();
  const auto blob = where ? find_blob(elf, *where) : std::nullopt;
  if (!blob)
    return fail(Fault::input,
                fmt::format("{} holds no Go build information, so it does not say what it is "
                            "built from",
                            name),
                "inputs that work: a Go program built with modules (unpacked, if it was packed), "
                "or its go.mod with -L");
  auto information = decode(elf, *blob);
  if (!information || information->go_version.empty())
    return fail(Fault::input,
                fmt::format("{}: the Go build information is damaged or cut off", name),
                "copy or build the program again, or give its go.mod with -L");
  information->modules = without_sentinels(information->modules);
  return *std::move(information);
}

}  // namespace telltale::sweep
