// The first requests of an HTTP/2 connection in clear text (RFC 9113): the preface, what the
// HEADERS frames after it say, and the beginning of a body.
//
// Read from the first bytes of a connection, without state between calls. Not read: whatever stands
// after a frame that is larger than the bytes that were kept.
#pragma once

#include <cstdint>
#include <vector>

#include "catcher/wire/http1_request.hpp"
#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

inline constexpr std::size_t kHttp2RequestLimit = 8;  // requests that are kept
inline constexpr std::size_t kHttp2BodyLimit = 4096;  // bytes of a body that are kept

struct Http2Request {
  std::uint32_t stream = 0;
  HttpRequest request;  // target is :path, host is :authority
  std::vector<std::uint8_t> body{};
  bool ended = false;  // nothing of it is still to come
};

struct Http2Reading {
  Shape shape = Shape::foreign;  // whole: the preface and one request
  bool preface = false;          // it is whole: the peer waits for our settings
  std::vector<Http2Request> requests;
};

[[nodiscard]] Http2Reading read_http2_requests(Bytes stream);

}  // namespace telltale::catcher::wire
