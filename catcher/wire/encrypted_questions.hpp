// The DNS questions in what a program says inside TLS, once that was read.
//
// DNS over TLS (RFC 7858): messages with their length in front. DNS over HTTPS (RFC 8484): the body
// of a POST, or the parameter `dns` of a GET in base64url, over HTTP/1.1 or HTTP/2; and, without a
// standard, the JSON form of public resolvers (GET /resolve?name=example.com&type=AAAA). A request
// that holds no well-formed question is none of these.
#pragma once

#include <cstdint>
#include <vector>

#include "catcher/wire/dns_message.hpp"
#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

enum class QuestionCarrier { none, tls, http1, http2, json };

struct EncryptedQuestion {
  DnsQuery query;
  std::uint32_t stream = 0;  // of HTTP/2
};

struct EncryptedQuestions {
  QuestionCarrier carrier = QuestionCarrier::none;
  std::vector<EncryptedQuestion> questions;  // each query has a question and is well formed
  bool body_missing = false;  // a request is whole but for its body, which may hold a question
};

inline constexpr std::size_t kQuestionBodyLimit = 1024;  // a body that may be longer holds none

// `stream` is the connection from its start, as it was said inside TLS.
[[nodiscard]] EncryptedQuestions read_encrypted_questions(Bytes stream);

}  // namespace telltale::catcher::wire
