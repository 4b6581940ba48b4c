#include "catcher/wire/dns_message.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace telltale::catcher::wire {

namespace {

constexpr std::size_t kNameLimit = 255;
constexpr std::size_t kLabelLimit = 63;
constexpr std::uint8_t kPointer = 0xc0;
constexpr std::uint16_t kAnswerFlag = 0x8000;
constexpr std::uint16_t kRecursionDesired = 0x0100;
constexpr std::uint16_t kRecursionAvailable = 0x0080;
constexpr std::uint16_t kPayload = 1232;  // bytes; the size that DNS flag day 2020 settled on
constexpr std::uint32_t kLifetime = 60;   // seconds
constexpr std::uint16_t kNameOfQuestion = 0xc00c;  // a pointer to the name after the header

constexpr std::pair<std::uint16_t, const char*> kTypes[] = {
    {1, "A"},     {2, "NS"},     {5, "CNAME"},  {6, "SOA"},    {12, "PTR"},   {13, "HINFO"},
    {15, "MX"},   {16, "TXT"},   {28, "AAAA"},  {29, "LOC"},   {33, "SRV"},   {35, "NAPTR"},
    {37, "CERT"}, {39, "DNAME"}, {43, "DS"},    {44, "SSHFP"}, {46, "RRSIG"}, {48, "DNSKEY"},
    {52, "TLSA"}, {64, "SVCB"},  {65, "HTTPS"}, {99, "SPF"},   {251, "IXFR"}, {252, "AXFR"},
    {255, "ANY"}, {256, "URI"},  {257, "CAA"}};

void append_label(Bytes label, DnsQuestion& question) {
  auto& name = question.name;
  if (!name.empty()) name += '.';
  for (const auto byte : label) {
    const char character = static_cast<char>(byte);
    if (byte > 0x20 && byte < 0x7f && character != '.' && character != '\\') {
      name += character >= 'A' && character <= 'Z' ? static_cast<char>(character + 32) : character;
    } else {
      name += '\\';
      name += static_cast<char>('0' + byte / 100);
      name += static_cast<char>('0' + byte / 10 % 10);
      name += static_cast<char>('0' + byte % 10);
    }
  }
  question.wire_name.push_back(static_cast<std::uint8_t>(label.size()));
  question.wire_name.insert(question.wire_name.end(), label.begin(), label.end());
}

// Reads the name at `reader`, which stands in `message`; false when it is malformed.
bool read_dns_name(Bytes message, Reader& reader, DnsQuestion& question) {
  auto here = reader;
  std::size_t before = reader.position();  // a pointer must lead to before this
  bool jumped = false;
  for (;;) {
    const auto length = here.u8();
    if (!here.good()) return false;
    if ((length & kPointer) == kPointer) {
      const auto target = static_cast<std::size_t>((length & ~kPointer) << 8 | here.u8());
      if (!here.good() || target >= before) return false;
      if (!std::exchange(jumped, true)) reader = here;
      before = target;
      here = Reader(message);
      here.take(target);
      continue;
    }
    if (length > kLabelLimit) return false;
    if (length == 0) break;
    const auto label = here.take(length);
    if (!here.good() || question.wire_name.size() + length + 2 > kNameLimit) return false;
    append_label(label, question);
  }
  question.wire_name.push_back(0);
  if (question.name.empty()) question.name = ".";
  if (!jumped) reader = here;
  return true;
}

bool read_question(Bytes message, Reader& reader, DnsQuery& query) {
  DnsQuestion question;
  if (!read_dns_name(message, reader, question)) return false;
  question.type = reader.u16();
  question.type_class = reader.u16();
  if (!reader.good()) return false;
  if (query.questions.size() < kDnsQuestionLimit) query.questions.push_back(std::move(question));
  return true;
}

// Each record takes bytes of the message, so their number is bounded by its length.
bool read_records(Bytes message, Reader& reader, std::size_t count, DnsQuery& query) {
  for (std::size_t i = 0; i < count; ++i) {
    DnsQuestion owner;
    if (!read_dns_name(message, reader, owner)) return false;
    if (reader.u16() == dns::kOpt) query.extended = true;
    reader.take(2 + 4);  // class and lifetime
    reader.take(reader.u16());
    if (!reader.good()) return false;
  }
  return true;
}

class Writer {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void u16(std::uint16_t value) {
    u8(static_cast<std::uint8_t>(value >> 8));
    u8(static_cast<std::uint8_t>(value));
  }
  void u32(std::uint32_t value) {
    u16(static_cast<std::uint16_t>(value >> 16));
    u16(static_cast<std::uint16_t>(value));
  }
  void bytes(Bytes more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }
  [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

dns::Code code_for(const DnsQuery& query, const DnsReply& reply) {
  if (query.operation != 0) return dns::Code::not_known;
  if (!query.well_formed || query.questions.size() != 1) return dns::Code::format_error;
  return reply.code;
}

Bytes address_for(const DnsQuestion& question, const DnsReply& reply) {
  if (question.type_class != dns::kInternet) return {};
  if (question.type == dns::kA && reply.four) return *reply.four;
  if (question.type == dns::kAaaa && reply.six) return *reply.six;
  return {};
}

void write_extension(Writer& writer) {
  writer.u8(0);  // the root
  writer.u16(dns::kOpt);
  writer.u16(kPayload);
  writer.u32(0);
  writer.u16(0);
}

}  // namespace

std::optional<DnsQuery> parse_dns_query(Bytes message) {
  Reader reader(message);
  DnsQuery query;
  query.id = reader.u16();
  const auto flags = reader.u16();
  const std::size_t questions = reader.u16();
  const std::size_t records = std::size_t{reader.u16()} + reader.u16() + reader.u16();
  if (!reader.good() || (flags & kAnswerFlag) != 0) return {};
  query.operation = static_cast<std::uint8_t>(flags >> 11 & 0xf);
  query.recursion_desired = (flags & kRecursionDesired) != 0;
  bool good = true;
  for (std::size_t i = 0; good && i < questions; ++i) good = read_question(message, reader, query);
  query.well_formed = good && read_records(message, reader, records, query);
  return query;
}

std::vector<std::uint8_t> answer_dns(const DnsQuery& query, const DnsReply& reply) {
  const auto code = code_for(query, reply);
  const bool one = query.questions.size() == 1;
  const auto address =
      one && code == dns::Code::no_error ? address_for(query.questions.front(), reply) : Bytes();
  Writer writer;
  writer.u16(query.id);
  writer.u16(static_cast<std::uint16_t>(kAnswerFlag | query.operation << 11 |
                                        (query.recursion_desired ? kRecursionDesired : 0) |
                                        kRecursionAvailable | static_cast<int>(code)));
  writer.u16(one ? 1 : 0);
  writer.u16(address.empty() ? 0 : 1);
  writer.u16(0);
  writer.u16(query.extended ? 1 : 0);
  if (one) {
    const auto& question = query.questions.front();
    writer.bytes(question.wire_name);
    writer.u16(question.type);
    writer.u16(question.type_class);
    if (!address.empty()) {
      writer.u16(kNameOfQuestion);
      writer.u16(question.type);
      writer.u16(question.type_class);
      writer.u32(kLifetime);
      writer.u16(static_cast<std::uint16_t>(address.size()));
      writer.bytes(address);
    }
  }
  if (query.extended) write_extension(writer);
  return writer.take();
}

std::vector<std::uint8_t> make_dns_query(std::uint16_t id, const std::string& name,
                                         std::uint16_t type) {
  Writer writer;
  writer.u16(id);
  writer.u16(kRecursionDesired);
  writer.u16(1);
  writer.u16(0);
  writer.u16(0);
  writer.u16(1);
  for (std::size_t at = 0; at < name.size();) {
    const auto end = std::min(name.find('.', at), name.size());
    const auto length = std::min(end - at, kLabelLimit);
    if (length > 0) {
      writer.u8(static_cast<std::uint8_t>(length));
      writer.bytes(as_bytes(std::string_view(name).substr(at, length)));
    }
    at = end + 1;
  }
  writer.u8(0);
  writer.u16(type);
  writer.u16(dns::kInternet);
  write_extension(writer);
  return writer.take();
}

std::string dns_type_name(std::uint16_t type) {
  for (const auto& [number, name] : kTypes)
    if (number == type) return name;
  return "TYPE" + std::to_string(type);
}

std::uint16_t dns_type_of(const std::string& name) {
  for (const auto& [number, known] : kTypes)
    if (name == known) return number;
  std::uint16_t number = 0;
  if (name.rfind("TYPE", 0) == 0)
    std::from_chars(name.data() + 4, name.data() + name.size(), number);
  return number;
}

std::optional<Bytes> first_dns_frame(Bytes buffer) {
  Reader reader(buffer);
  const auto message = reader.take(reader.u16());
  return reader.good() ? std::optional(message) : std::nullopt;
}

std::vector<std::uint8_t> dns_frame(const std::vector<std::uint8_t>& message) {
  Writer writer;
  writer.u16(static_cast<std::uint16_t>(message.size()));
  writer.bytes(message);
  return writer.take();
}

}  // namespace telltale::catcher::wire
