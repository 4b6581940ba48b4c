// What a program says first on a connection or in a packet, told as one line.
//
// Recognised: TLS (ClientHello), HTTP/1, HTTP/2 in clear text; in packets QUIC, STUN, DTLS, NTP and
// DNS (as in multicast). Anything else is shown by its first bytes. Text of the subject is made
// visible (evidence/characters.hpp); header fields are named, their values left alone.
#pragma once

#include <string>
#include <vector>

#include "catcher/sighting.hpp"
#include "catcher/wire/client_hello.hpp"
#include "catcher/wire/encrypted_questions.hpp"
#include "catcher/wire/http1_request.hpp"
#include "catcher/wire/reader.hpp"

namespace telltale::catcher {

struct FirstFlight {
  bool known = false;     // of a protocol of the list above, whole or not
  bool complete = false;  // there is no need to wait for more
  std::string said;
  std::string server_name;
  wire::HttpRequest request;  // method is empty when it was no HTTP
  bool http2_preface = false;
  std::vector<std::uint32_t> http2_streams;  // of requests that wait for an answer
  TlsPayload tls = TlsPayload::none;         // unseen, for a hello
  std::string tls_reason{};
  wire::EncryptedQuestions questions{};  // inside TLS only
};

// `stream` is the connection from its start.
[[nodiscard]] FirstFlight read_first_flight(wire::Bytes stream);
// What was said after `hello`, from the start, once TLS was taken away; there is something.
[[nodiscard]] FirstFlight read_inside_tls(wire::Bytes plain, const FirstFlight& hello);
// What one packet says; QUIC is the caller's (wire/quic_initial.hpp), who has the packets before.
[[nodiscard]] std::string describe_datagram(wire::Bytes datagram, std::uint16_t port);

// "SNI example.com, ALPN h2, TLS 1.3"
[[nodiscard]] std::string describe(const wire::ClientHello& hello);
// "http://example.com/path", as far as the request says it.
[[nodiscard]] std::string url_of(const wire::HttpRequest& request);

// Fills said, server_name, tls, method, target, header_names and first_bytes.
void put_into(const FirstFlight& flight, wire::Bytes stream, Sighting& sighting);

// The DNS questions in a flight that was read in TLS, each as the sighting of a question; `whole`
// is that of the flight.
[[nodiscard]] std::vector<Sighting> questions_of(const FirstFlight& flight, const Sighting& whole);

}  // namespace telltale::catcher
