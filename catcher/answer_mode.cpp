#include "catcher/answer_mode.hpp"

#include <fmt/core.h>

#include <utility>

#include "catcher/answers/http2_frame.hpp"

namespace telltale::catcher {

namespace {

constexpr std::pair<AnswerMode, std::string_view> kModes[] = {
    {AnswerMode::refuse, "refuse"},
    {AnswerMode::drop, "drop"},
    {AnswerMode::accept_close, "accept-close"},
    {AnswerMode::accept_hold, "accept-hold"},
    {AnswerMode::http_200, "http-200"},
    {AnswerMode::http_500, "http-500"}};

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
  http2::append_frame(bytes, http2::Type::settings, 0, 0, {});
  return bytes;
}

std::string http2_answer(AnswerMode mode, const std::vector<std::uint32_t>& streams) {
  if (!answers_requests(mode)) return {};
  using namespace http2;
  // Entries 8 and 14 of HPACK's static table: ":status: 200" and ":status: 500".
  const std::string_view status = mode == AnswerMode::http_200 ? "\x88" : "\x8e";
  std::string bytes;
  append_frame(bytes, Type::settings, kAcknowledge, 0, {});
  for (const auto stream : streams)
    append_frame(bytes, Type::headers, kEndStream | kEndHeaders, stream, status);
  return bytes;
}

}  // namespace telltale::catcher
