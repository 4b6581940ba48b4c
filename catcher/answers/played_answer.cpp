#include "catcher/answers/played_answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "catcher/answers/http2_frame.hpp"

namespace telltale::catcher {

namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

// How the message is framed is ours to say.
bool frames_a_message(const std::string& name) {
  constexpr std::array<std::string_view, 7> kNames = {
      "content-length", "connection", "keep-alive",      "transfer-encoding",
      "trailer",        "upgrade",    "proxy-connection"};
  return std::find(kNames.begin(), kNames.end(), lower_case(name)) != kNames.end();
}

bool has_body(const PlayedAnswer& answer, const std::string& method) {
  return method != "HEAD" && answer.status != 204 && answer.status != 304;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 500:
      return "Internal Server Error";
    default:
      return "Answer";
  }
}

// RFC 7541 section 5.1, with a prefix of seven bits, and 5.2 without Huffman coding.
void append_text(std::string& block, std::string_view text) {
  auto length = text.size();
  if (length < 127) {
    block += static_cast<char>(length);
  } else {
    block += '\x7f';
    for (length -= 127; length >= 128; length /= 128)
      block += static_cast<char>(length % 128 + 128);
    block += static_cast<char>(length);
  }
  block += text;
}

// Literal fields without indexing (RFC 7541 section 6.2.2); 8 is ":status" of the static table.
std::string header_block(const PlayedAnswer& answer) {
  std::string block = "\x08";
  append_text(block, std::to_string(answer.status));
  for (const auto& [name, value] : answer.headers) {
    if (frames_a_message(name)) continue;
    block += '\0';
    append_text(block, lower_case(name));
    append_text(block, value);
  }
  return block;
}

}  // namespace

std::string http1_message(const PlayedAnswer& answer, const std::string& method) {
  auto message = fmt::format("HTTP/1.1 {} {}\r\n", answer.status, reason_of(answer.status));
  for (const auto& [name, value] : answer.headers)
    if (!frames_a_message(name)) message += fmt::format("{}: {}\r\n", name, value);
  if (answer.status != 204 && answer.status != 304)
    message += fmt::format("Content-Length: {}\r\n", answer.body.size());
  message += "Connection: close\r\n\r\n";
  if (has_body(answer, method)) message += answer.body;
  return message;
}

std::string http2_message(const PlayedAnswer& answer, std::uint32_t stream,
                          const std::string& method) {
  using namespace http2;
  const auto block = header_block(answer);
  const auto body = has_body(answer, method) ? std::string_view(answer.body) : std::string_view();
  if (body.size() > kHttp2Body || block.size() > kMostPayload) return {};
  std::string bytes;
  append_frame(bytes, Type::settings, kAcknowledge, 0, {});
  const auto flags = static_cast<std::uint8_t>(kEndHeaders | (body.empty() ? kEndStream : 0));
  append_frame(bytes, Type::headers, flags, stream, block);
  for (std::size_t at = 0; at < body.size(); at += kMostPayload) {
    const bool last = at + kMostPayload >= body.size();
    append_frame(bytes, Type::data, last ? kEndStream : std::uint8_t{0}, stream,
                 body.substr(at, kMostPayload));
  }
  return bytes;
}

}  // namespace telltale::catcher
