#include "catcher/first_flight.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "catcher/wire/dns_message.hpp"
#include "catcher/wire/http2_request.hpp"
#include "evidence/characters.hpp"

namespace telltale::catcher {

namespace {

constexpr std::size_t kShown = 60;  // bytes of a first flight that nobody knows
constexpr std::size_t kSaidLimit = 300;
constexpr std::uint32_t kStunCookie = 0x2112a442;  // RFC 8489 section 5
constexpr std::uint16_t kNtpPort = 123;

std::string shortened(std::string text) {
  if (text.size() > kSaidLimit) text.resize(kSaidLimit);
  return evidence::visible(text);
}

std::string shown(wire::Bytes bytes) {
  const auto text = evidence::visible(wire::as_text(bytes.first(std::min(bytes.size(), kShown))));
  return fmt::format("{} bytes, \"{}\"{}", bytes.size(), text, bytes.size() > kShown ? " ..." : "");
}

FirstFlight hello_flight(const wire::HelloReading& reading) {
  FirstFlight flight;
  flight.known = true;
  flight.complete = reading.shape == wire::Shape::whole;
  flight.tls = TlsPayload::unseen;
  flight.server_name = evidence::visible(reading.hello.server_name);
  const auto details = describe(reading.hello);
  flight.said = flight.complete ? "TLS hello" : "half a TLS hello";
  if (!details.empty()) flight.said += ", " + details;
  return flight;
}

std::string describe_request(const wire::HttpRequest& request) {
  return evidence::visible(request.method) + " " + shortened(url_of(request));
}

FirstFlight http1_flight(const wire::Http1Reading& reading) {
  FirstFlight flight;
  flight.known = true;
  flight.complete = reading.shape == wire::Shape::whole;
  flight.request = reading.request;
  flight.said = describe_request(reading.request);
  if (reading.request.target_cut) flight.said += " (cut)";
  if (!flight.complete) flight.said += ", half a request";
  return flight;
}

FirstFlight http2_flight(const wire::Http2Reading& reading) {
  FirstFlight flight;
  flight.known = true;
  flight.complete = reading.shape == wire::Shape::whole;
  flight.http2_preface = reading.preface;
  for (const auto& one : reading.requests) flight.http2_streams.push_back(one.stream);
  if (reading.requests.empty()) {
    flight.said = "HTTP/2 without a request";
    return flight;
  }
  flight.request = reading.requests.front().request;
  flight.said = describe_request(flight.request) + " over HTTP/2";
  if (reading.requests.size() > 1)
    flight.said += fmt::format(" and {} more", reading.requests.size() - 1);
  return flight;
}

bool is_stun(wire::Bytes datagram) {
  wire::Reader reader(datagram);
  const auto type = reader.u16();
  const auto length = reader.u16();
  return reader.u32() == kStunCookie && (type & 0xc000) == 0 && length % 4 == 0;
}

}  // namespace

std::string describe(const wire::ClientHello& hello) {
  std::vector<std::string> parts;
  if (!hello.server_name.empty()) parts.push_back("SNI " + evidence::visible(hello.server_name));
  if (hello.encrypted_inner) parts.emplace_back("an encrypted inner hello");
  std::vector<std::string> protocols;
  for (const auto& protocol : hello.alpn) protocols.push_back(evidence::visible(protocol));
  if (!protocols.empty()) parts.push_back(fmt::format("ALPN {}", fmt::join(protocols, " ")));
  if (const auto version = wire::tls_version_name(hello.version); !version.empty())
    parts.push_back(version);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string url_of(const wire::HttpRequest& request) {
  // An absolute target, CONNECT, and "*" say for themselves what they are of.
  if (request.host.empty() || request.target.empty() || request.target.front() != '/')
    return request.target;
  return fmt::format("{}://{}{}", request.scheme.empty() ? "http" : request.scheme, request.host,
                     request.target);
}

FirstFlight read_first_flight(wire::Bytes stream) {
  if (stream.empty()) {
    FirstFlight nothing;
    nothing.said = "nothing";
    return nothing;
  }
  if (const auto hello = wire::read_client_hello(stream); hello.shape != wire::Shape::foreign)
    return hello_flight(hello);
  if (const auto two = wire::read_http2_requests(stream); two.shape != wire::Shape::foreign)
    return http2_flight(two);
  if (const auto one = wire::read_http1_request(stream);
      one.shape == wire::Shape::whole || !one.request.method.empty())
    return http1_flight(one);
  FirstFlight flight;
  flight.said = shown(stream);
  return flight;
}

FirstFlight read_inside_tls(wire::Bytes plain, const FirstFlight& hello) {
  FirstFlight flight;
  if (const auto two = wire::read_http2_requests(plain); two.shape != wire::Shape::foreign) {
    flight = http2_flight(two);
  } else if (auto one = wire::read_http1_request(plain); !one.request.method.empty()) {
    one.request.scheme = "https";
    if (one.request.host.empty()) one.request.host = hello.server_name;
    flight = http1_flight(one);
  } else {
    flight.said = shown(plain);
  }
  flight.questions = wire::read_encrypted_questions(plain);
  if (flight.questions.carrier == wire::QuestionCarrier::tls) {
    flight.said = "DNS over TLS";
    flight.known = flight.complete = true;
  }
  // The rest of a body is on its way, or not: as of what nobody knows, there is an end to waiting.
  if (flight.questions.body_missing) flight.known = flight.complete = false;
  flight.said += ", read in TLS";
  flight.server_name = hello.server_name;
  flight.tls = TlsPayload::read;
  return flight;
}

std::string describe_datagram(wire::Bytes datagram, std::uint16_t port) {
  if (is_stun(datagram))
    return datagram[0] == 0 && datagram[1] == 1 ? "STUN binding request" : "STUN";
  if (datagram.size() > 13 && datagram[0] == 22 && datagram[1] == 0xfe && datagram[13] == 1)
    return "DTLS hello";
  if (port == kNtpPort && datagram.size() >= 48 && (datagram[0] & 7) == 3) return "NTP request";
  if (port == 53 || port == 5353)
    if (const auto query = wire::parse_dns_query(datagram); query && !query->questions.empty())
      return fmt::format("DNS question {} {}",
                         wire::dns_type_name(query->questions.front().type & 0x7fff),
                         query->questions.front().name);
  return shown(datagram);
}

void put_into(const FirstFlight& flight, wire::Bytes stream, Sighting& sighting) {
  sighting.said = flight.said;
  sighting.server_name = flight.server_name;
  sighting.tls = flight.tls;
  sighting.tls_reason = flight.tls_reason;
  const auto& request = flight.request;
  if (!request.method.empty()) {
    sighting.method = evidence::visible(request.method);
    sighting.target = evidence::visible(url_of(request));
    for (const auto& name : request.header_names)
      sighting.header_names.push_back(evidence::visible(name));
  } else if (flight.tls == TlsPayload::none || flight.tls == TlsPayload::read) {
    sighting.first_bytes = wire::as_text(stream.first(std::min(stream.size(), kFirstBytes)));
  }
}

std::vector<Sighting> questions_of(const FirstFlight& flight, const Sighting& whole) {
  std::vector<Sighting> all;
  const bool tls = flight.questions.carrier == wire::QuestionCarrier::tls;
  for (const auto& [query, stream] : flight.questions.questions)
    for (const auto& question : query.questions) {
      auto& one = all.emplace_back(whole);
      one.protocol = "dns";
      one.host = question.name;
      one.said = fmt::format("DNS question {} over {}", wire::dns_type_name(question.type),
                             tls ? "TLS" : "HTTPS");
      one.method = one.target = {};
      one.header_names = {};
    }
  return all;
}

}  // namespace telltale::catcher
