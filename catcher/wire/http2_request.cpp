#include "catcher/wire/http2_request.hpp"

#include <algorithm>
#include <string_view>

#include "catcher/wire/hpack.hpp"

namespace telltale::catcher::wire {

namespace {

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::size_t kBlockLimit = 64 * 1024;  // bytes of one header block
enum FrameType : std::uint8_t { kData = 0, kHeaders = 1, kContinuation = 9 };
enum FrameFlag : std::uint8_t {
  kEndStream = 0x01,
  kEndHeaders = 0x04,
  kPadded = 0x08,
  kPriority = 0x20
};

struct Frame {
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
  Bytes payload;
};

// False when the stream ends before the frame does.
bool take_frame(Reader& reader, Frame& frame) {
  const auto length = reader.u24();
  frame.type = reader.u8();
  frame.flags = reader.u8();
  frame.stream = reader.u32() & 0x7fffffff;
  frame.payload = reader.take(length);
  return reader.good();
}

// The part of a HEADERS or DATA frame that is no framing (sections 6.1 and 6.2).
Bytes content_of(const Frame& frame) {
  Reader reader(frame.payload);
  const std::size_t padding = (frame.flags & kPadded) != 0 ? reader.u8() : 0;
  if (frame.type == kHeaders && (frame.flags & kPriority) != 0) reader.take(5);
  if (!reader.good() || padding > reader.left()) return {};
  return reader.take(reader.left() - padding);
}

HttpRequest to_request(std::vector<HeaderField> fields) {
  HttpRequest request;
  for (auto& [name, value] : fields) {
    if (name == ":method") {
      request.method = value.substr(0, kHeaderNameLimit);
    } else if (name == ":scheme") {
      request.scheme = value.substr(0, kHeaderNameLimit);
    } else if (name == ":authority" || name == "host") {
      request.host = value.substr(0, 255);
    } else if (name == ":path") {
      request.target_cut = value.size() > kTargetLimit;
      request.target = value.substr(0, kTargetLimit);
    } else if (request.header_names.size() < kHeaderNameLimit) {
      request.header_names.push_back(name.substr(0, kHeaderNameLimit));
    }
  }
  return request;
}

void add_to_body(const Frame& frame, Http2Reading& reading) {
  for (auto& one : reading.requests) {
    if (one.stream != frame.stream || one.ended) continue;
    const auto part = content_of(frame);
    const auto room = std::min(part.size(), kHttp2BodyLimit - one.body.size());
    one.body.insert(one.body.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(room));
    one.ended = (frame.flags & kEndStream) != 0;
  }
}

void read_http2_frames(Reader& reader, Http2Reading& reading) {
  HpackDecoder decoder;
  std::vector<std::uint8_t> block;
  bool open = false;   // a header block has begun and not ended
  bool ended = false;  // and nothing follows it
  Frame frame;
  while (reading.requests.size() < kHttp2RequestLimit && take_frame(reader, frame)) {
    const bool begins = frame.type == kHeaders && !open;
    if (!begins && !(frame.type == kContinuation && open)) {
      if (open) return;  // nothing may stand between (section 6.10)
      if (frame.type == kData) add_to_body(frame, reading);
      continue;
    }
    if (begins) {
      block.clear();
      ended = (frame.flags & kEndStream) != 0;
    }
    const auto part = begins ? content_of(frame) : frame.payload;
    if (block.size() + part.size() > kBlockLimit) return;
    block.insert(block.end(), part.begin(), part.end());
    open = (frame.flags & kEndHeaders) == 0;
    if (!open)
      reading.requests.push_back({frame.stream, to_request(decoder.decode(block)), {}, ended});
  }
}

}  // namespace

Http2Reading read_http2_requests(Bytes stream) {
  const auto text = as_text(stream);
  const auto common = std::min(text.size(), kPreface.size());
  if (text.substr(0, common) != kPreface.substr(0, common)) return {};
  Http2Reading reading;
  reading.shape = Shape::partial;
  reading.preface = text.size() >= kPreface.size();
  if (!reading.preface) return reading;
  Reader reader(stream.subspan(kPreface.size()));
  read_http2_frames(reader, reading);
  if (!reading.requests.empty()) reading.shape = Shape::whole;
  return reading;
}

}  // namespace telltale::catcher::wire
