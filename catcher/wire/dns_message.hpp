// DNS messages (RFC 1035, EDNS of RFC 6891, framing over TCP of RFC 7766), as far as a resolver
// that knows every name needs them: the questions of a query are read, an answer is written.
//
// A name of the wire may be compressed; a pointer must go backwards, so that no message can send
// the reader round in circles, and a name is at most 255 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catcher/wire/reader.hpp"

namespace telltale::catcher::wire {

namespace dns {
inline constexpr std::uint16_t kA = 1, kTxt = 16, kAaaa = 28, kOpt = 41;
inline constexpr std::uint16_t kInternet = 1;
enum class Code : std::uint8_t { no_error = 0, format_error = 1, no_such_name = 3, not_known = 4 };
}  // namespace dns

struct DnsQuestion {
  // As in a zone file, lower case, without the last dot; "." is the root. A byte that is no visible
  // ASCII character, and a dot inside a label, are written \DDD.
  std::string name;
  std::vector<std::uint8_t> wire_name;  // not compressed, spelled as it was asked
  std::uint16_t type = 0;
  std::uint16_t type_class = 0;
};

inline constexpr std::size_t kDnsQuestionLimit = 8;  // questions that are kept of one message

struct DnsQuery {
  std::uint16_t id = 0;
  std::uint8_t operation = 0;  // 0: a standard query
  bool recursion_desired = false;
  bool well_formed = false;  // else `questions` holds what could be read
  bool extended = false;     // it came with EDNS, so the answer has it
  std::vector<DnsQuestion> questions;
};

// Empty for what cannot be answered: shorter than a header, or itself an answer.
[[nodiscard]] std::optional<DnsQuery> parse_dns_query(Bytes message);

struct DnsReply {
  dns::Code code = dns::Code::no_error;
  std::optional<std::array<std::uint8_t, 4>> four;
  std::optional<std::array<std::uint8_t, 16>> six;
};

// The answer to the first question: its address when the type asks for one, else none. A query that
// is not well formed, or has not exactly one question (RFC 9619), gets a format error; an operation
// other than a query "not known".
[[nodiscard]] std::vector<std::uint8_t> answer_dns(const DnsQuery& query, const DnsReply& reply);

// A query with EDNS; for a control, and for tests. Labels longer than 63 bytes are cut.
[[nodiscard]] std::vector<std::uint8_t> make_dns_query(std::uint16_t id, const std::string& name,
                                                       std::uint16_t type);

// "A", "AAAA", "TXT"; "TYPE65535" for one without a common name.
[[nodiscard]] std::string dns_type_name(std::uint16_t type);
// 0 for a word that is none.
[[nodiscard]] std::uint16_t dns_type_of(const std::string& name);

// Over TCP: the first message of the buffer, without its length; empty until it is whole.
[[nodiscard]] std::optional<Bytes> first_dns_frame(Bytes buffer);
[[nodiscard]] std::vector<std::uint8_t> dns_frame(const std::vector<std::uint8_t>& message);

}  // namespace telltale::catcher::wire
