#include "fuzz/targets.hpp"

#include <vector>

#include "catcher/wire/client_hello.hpp"
#include "catcher/wire/dns_message.hpp"
#include "catcher/wire/encrypted_questions.hpp"
#include "catcher/wire/http1_request.hpp"
#include "catcher/wire/http2_request.hpp"
#include "catcher/wire/quic_initial.hpp"
#include "fuzz/image_targets.hpp"
#include "fuzz/promise.hpp"

namespace telltale::fuzz {

namespace {

using namespace catcher::wire;

// More bytes never make a protocol of what was none, and never unmake a whole one.
template <class Read>
void promise_of_shape(Bytes bytes, Read read) {
  const auto half = read(bytes.first(bytes.size() / 2)).shape;
  const auto all = read(bytes).shape;
  promise(half != Shape::foreign || all == Shape::foreign, "foreign stays foreign");
  promise(half != Shape::whole || all == Shape::whole, "whole stays whole");
}

void dns_target(Bytes bytes) {
  (void)first_dns_frame(bytes);
  const auto query = parse_dns_query(bytes);
  if (!query) return;
  promise(query->questions.size() <= kDnsQuestionLimit, "questions are limited");
  for (const auto& question : query->questions) {
    promise(question.wire_name.size() <= 255, "a name is at most 255 bytes");
    promise(!question.name.empty(), "a name has a text");
    for (const char character : question.name)
      promise(character > 0x20 && character < 0x7f, "a name is visible");
  }
  const DnsReply reply{dns::Code::no_error, std::array<std::uint8_t, 4>{198, 18, 0, 1}, {}};
  const auto answer = answer_dns(*query, reply);
  promise(answer.size() >= 12 && answer.size() <= 512, "an answer fits into a packet");
  promise(!parse_dns_query(answer), "an answer is no query");
}

void client_hello_target(Bytes bytes) {
  promise_of_shape(bytes, read_client_hello);
  promise_of_shape(bytes, read_hello_message);
  const auto [shape, hello] = read_client_hello(bytes);
  promise(hello.server_name.size() <= 255 && hello.alpn.size() <= kAlpnLimit, "lists are limited");
}

// Half of the inputs are payloads that were opened: no fuzzer can seal one.
void quic_initial_target(Bytes bytes) {
  if (bytes.empty() || (bytes[0] & 0x80) != 0) {
    (void)read_quic_datagram(bytes);
    return;
  }
  CryptoStream stream;
  for (const auto& piece : read_quic_frames(bytes.subspan(1))) stream.add(piece);
  (void)stream.hello();
}

void promise_of_request(const HttpRequest& request) {
  promise(request.target.size() <= kTargetLimit && request.host.size() <= 255 &&
              request.header_names.size() <= kHeaderNameLimit,
          "a request is limited");
}

void http1_target(Bytes bytes) {
  promise_of_shape(bytes, read_http1_request);
  const auto reading = read_http1_request(bytes);
  promise(reading.head <= bytes.size(), "a head is inside");
  promise_of_request(reading.request);
}

void http2_target(Bytes bytes) {
  promise_of_shape(bytes, read_http2_requests);
  const auto reading = read_http2_requests(bytes);
  promise(reading.requests.size() <= kHttp2RequestLimit, "requests are limited");
  for (const auto& one : reading.requests) {
    promise_of_request(one.request);
    promise(one.body.size() <= kHttp2BodyLimit, "a body is limited");
  }
}

void encrypted_questions_target(Bytes bytes) {
  const auto found = read_encrypted_questions(bytes);
  promise(found.questions.empty() == (found.carrier == QuestionCarrier::none),
          "what carries a question has one");
  for (const auto& one : found.questions)
    promise(one.query.well_formed && !one.query.questions.empty(), "a question is one");
}

}  // namespace

const Target kAllTargets[kTargets] = {{"client_hello", client_hello_target},
                                      {"dns", dns_target},
                                      {"encrypted_questions", encrypted_questions_target},
                                      {"http1", http1_target},
                                      {"http2", http2_target},
                                      {"image_document", image_document_target},
                                      {"image_layer", image_layer_target},
                                      {"quic_initial", quic_initial_target}};

}  // namespace telltale::fuzz
