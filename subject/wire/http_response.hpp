// An HTTP/1.1 response, read piece by piece (RFC 9112) by Beast's parser.
//
// Chunked, counted and close-delimited bodies; 1xx responses are skipped, trailers dropped. One
// reader serves a connection for its whole life and keeps its buffers.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace telltale::subject {

struct HttpResponse {
  int status = 0;
  std::string body;       // at most kAnswerLimit bytes; of what is longer the rest is dropped
  bool cut = false;       // it was longer
  bool finished = false;  // false: ended early because the caller had enough (SSE)
  std::string content_type;
  std::string location;
  std::string session;               // Mcp-Session-Id
  std::vector<std::string> cookies;  // the values of Set-Cookie
  std::chrono::nanoseconds took{};   // from before the request was sent to the last byte read

  void clear();
};

inline constexpr std::size_t kHeaderLimit = 64 * 1024;  // bytes of status line and header fields

class ResponseReader {
 public:
  ResponseReader();
  ResponseReader(ResponseReader&&) noexcept;
  ResponseReader& operator=(ResponseReader&&) noexcept;
  ~ResponseReader();

  // Starts over. `head`: the request was a HEAD, so no body follows whatever the header says.
  void expect_response(bool head);
  // Where the next bytes of the connection go; then took() says how many came.
  [[nodiscard]] std::span<char> room();
  // False when the bytes are no HTTP; problem() says why.
  [[nodiscard]] bool took(std::size_t bytes);
  // The connection ended. False when the response is not whole.
  [[nodiscard]] bool ended();

  [[nodiscard]] bool started() const;  // a byte of the response has come
  [[nodiscard]] bool header_done() const;
  [[nodiscard]] bool done() const;
  // The next request may use the same connection: both ends agree, and nothing came after the end.
  [[nodiscard]] bool keeps_alive() const;
  [[nodiscard]] const std::string& problem() const;
  // The first bytes as they came, for quoting what is no HTTP.
  [[nodiscard]] std::string_view raw() const;
  [[nodiscard]] HttpResponse& response();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace telltale::subject
