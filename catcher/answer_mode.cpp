#include "catcher/answer_mode.hpp"

#include <fmt/core.h>

#include <utility>

namespace telltale::catcher {

namespace {

constexpr std::pair<AnswerMode, std::string_view> kModes[] = {
    {AnswerMode::refuse, "refuse"},
    {AnswerMode::drop, "drop"},
    {AnswerMode::accept_close, "accept-close"},
    {AnswerMode::accept_hold, "accept-hold"},
    {AnswerMode::http_200, "http-200"},
    {AnswerMode::http_500, "http-500"}};

void append_frame(std::string& bytes, std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                  std::string_view payload) {
  const auto length = payload.size();
  for (const std::size_t octet :
       {length >> 16, length >> 8, length, std::size_t{type}, std::size_t{flags},
        std::size_t{stream} >> 24, std::size_t{stream} >> 16, std::size_t{stream} >> 8,
        std::size_t{stream}})
    bytes += static_cast<char>(octet & 0xff);
  bytes += payload;
}

bool answers_requests(AnswerMode mode) {
  return mode == AnswerMode::http_200 || mode == AnswerMode::http_500;
}

}  // namespace

std::optional<AnswerMode> answer_mode_of(std::string_view word) {
  for (const auto& [mode, known] : kModes)
    if (known == word) return mode;
  return {};
}

std::string_view word_of(AnswerMode mode) {
  for (const auto& [known, word] : kModes)
    if (known == mode) return word;
  return "";
}

std::string answer_mode_words() {
  std::string words;
  for (const auto& [mode, word] : kModes) words += (words.empty() ? "" : ", ") + std::string(word);
  return words;
}

evidence::Row answers_row(AnswerMode mode, bool no_such_name) {
  return {"answers", std::string(word_of(mode)) + (no_such_name ? ", no-such-name" : ""), "",
          "how a connection or a question that leads nowhere was answered"};
}

std::string http1_answer(AnswerMode mode) {
  if (!answers_requests(mode)) return {};
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                     mode == AnswerMode::http_200 ? "200 OK" : "500 Internal Server Error");
}

std::string http2_settings() {
  std::string bytes;
  append_frame(bytes, 4, 0, 0, {});
  return bytes;
}

std::string http2_answer(AnswerMode mode, const std::vector<std::uint32_t>& streams) {
  if (!answers_requests(mode)) return {};
  constexpr std::uint8_t kHeaders = 1, kSettings = 4, kAcknowledge = 1;
  constexpr std::uint8_t kEndStreamAndHeaders = 0x01 | 0x04;
  // Entries 8 and 14 of HPACK's static table: ":status: 200" and ":status: 500".
  const std::string_view status = mode == AnswerMode::http_200 ? "\x88" : "\x8e";
  std::string bytes;
  append_frame(bytes, kSettings, kAcknowledge, 0, {});
  for (const auto stream : streams)
    append_frame(bytes, kHeaders, kEndStreamAndHeaders, stream, status);
  return bytes;
}

}  // namespace telltale::catcher
