// How a connection that leads nowhere is answered. What a program does next depends on it, so the
// mode is named in the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/row.hpp"

namespace telltale::catcher {

enum class AnswerMode {
  refuse,        // reset at once; what it would have said is not known
  drop,          // the connection is never established: SYNs are dropped; others see these
  accept_close,  // the first flight is read, then the connection is closed
  accept_hold,   // the first flight is read, and nothing more happens until the caller closes
  http_200,      // a request gets an empty answer of this status; other protocols as accept_close
  http_500
};

// "accept-close"; empty for a word that is no mode.
[[nodiscard]] std::optional<AnswerMode> answer_mode_of(std::string_view word);
[[nodiscard]] std::string_view word_of(AnswerMode mode);
// "refuse, drop, ...", for a message.
[[nodiscard]] std::string answer_mode_words();
// What a reader must know of a run; `no_such_name`: every DNS question was answered so.
[[nodiscard]] evidence::Row answers_row(AnswerMode mode, bool no_such_name);

// The whole answer to a request of HTTP/1, and to these streams of HTTP/2 (RFC 9113: our settings,
// then one HEADERS frame each); empty in modes that answer no request.
[[nodiscard]] std::string http1_answer(AnswerMode mode);
[[nodiscard]] std::string http2_answer(AnswerMode mode, const std::vector<std::uint32_t>& streams);
// An empty SETTINGS frame: some clients say nothing before they have it.
[[nodiscard]] std::string http2_settings();

}  // namespace telltale::catcher
