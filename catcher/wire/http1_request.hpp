// The head of an HTTP/1 request (RFC 9112), read from the first bytes of a connection.
//
// Bounded: a request line of a megabyte is cut, not stored. Only the names of header fields are
// kept, and the value of Host: other values may hold secrets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

inline constexpr std::size_t kTargetLimit = 2048;    // bytes of a target that are kept
inline constexpr std::size_t kHeaderNameLimit = 64;  // names, and bytes of one name

struct HttpRequest {
  std::string method;
  std::string scheme;  // HTTP/2 only
  std::string target;  // as written; at most kTargetLimit bytes
  bool target_cut = false;
  std::string host;  // of Host or :authority, at most 255 bytes
  std::vector<std::string> header_names;
};

struct Http1Reading {
  Shape shape = Shape::foreign;
  HttpRequest request;
  std::size_t head = 0;    // bytes up to the body; 0 until whole
  std::uint64_t body = 0;  // bytes that Content-Length announces
  bool chunked = false;
};

// `stream` is the connection from its start. Foreign as soon as no more bytes can make it a
// request.
[[nodiscard]] Http1Reading read_http1_request(Bytes stream);

}  // namespace telltale::catcher::wire
