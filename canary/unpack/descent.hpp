// Opens what an unpacker knows, and what is inside of that, within limits.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "canary/hit.hpp"
#include "canary/matcher.hpp"
#include "canary/unpack/unpacker.hpp"
#include "canary/unseen.hpp"

namespace telltale::canary {

// Against archives that are made to grow without end. A limit that is reached is reported.
struct UnpackLimits {
  std::uint64_t decoded = std::uint64_t{4} << 30;  // bytes out of one file, all depths together
  // Bytes out for each byte of the file, once `ratio_from` bytes are out. Deflate reaches 1032 on
  // zeros; a real log some 30 to 100.
  std::uint64_t ratio = 400;
  std::uint64_t ratio_from = std::uint64_t{256} << 20;
  unsigned depth = 4;                           // decoders in a row
  std::size_t nested = std::size_t{256} << 20;  // bytes of an archive inside an archive; in memory
};

class Descent {
 public:
  // `path` and `size` (bytes) are those of the file on the disk. The references outlive the
  // descent.
  Descent(const Matcher& matcher, const UnpackLimits& limits, const std::function<bool()>& stopped,
          std::string path, std::uint64_t size)
      : matcher_(matcher),
        limits_(limits),
        stopped_(stopped),
        path_(std::move(path)),
        size_(size) {}

  // Unpacks the blob when an unpacker recognises its head, and searches what comes out. `inside`:
  // the decoders that led here, "" for the file itself.
  void open(const Blob& blob, std::string_view head, const std::string& inside, unsigned depth = 1);

  [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
  [[nodiscard]] const std::vector<Unseen>& unseen() const { return unseen_; }
  [[nodiscard]] std::uint64_t decoded() const { return decoded_; }          // bytes
  [[nodiscard]] std::uint64_t passed_over() const { return passed_over_; }  // bytes

 private:
  class DecodedStream;
  // Why no more may come out; "" while it may.
  [[nodiscard]] std::string limit_reached() const;

  const Matcher& matcher_;
  const UnpackLimits& limits_;
  const std::function<bool()>& stopped_;
  std::string path_;
  std::uint64_t size_;
  std::uint64_t decoded_ = 0;
  std::uint64_t passed_over_ = 0;
  std::vector<Hit> hits_;
  std::vector<Unseen> unseen_;
};

}  // namespace telltale::canary
