#include "catcher/wire/dns_message.hpp"

#include "catcher/wire/capture.hpp"
#include "support/catch.hpp"

using namespace telltale::catcher::wire;
using telltale::test::capture;
using telltale::test::each_truncation;
using telltale::test::from_hex;
using telltale::test::Octets;

namespace {

// A header of one question and `records` additional records, then `rest` in hexadecimal.
Octets message(const std::string& rest, const std::string& records = "0000") {
  return from_hex("12340100000100000000" + records + rest);
}

const DnsReply kBoth{dns::Code::no_error, std::array<std::uint8_t, 4>{198, 18, 0, 7},
                     std::array<std::uint8_t, 16>{0x20, 1, 0, 2}};

}  // namespace

TEST_CASE("the question of a real query, of any type") {
  const struct {
    const char *file, *type;
  } cases[] = {{"dns/node-a.bin", "A"},
               {"dns/node-aaaa.bin", "AAAA"},
               {"dns/node-txt.bin", "TXT"},
               {"dns/node-srv.bin", "SRV"}};
  for (const auto& one : cases) {
    const auto query = parse_dns_query(capture(one.file));
    REQUIRE(query);
    CHECK(query->well_formed);
    REQUIRE(query->questions.size() == 1);
    CHECK(query->questions[0].name == "node.example");
    CHECK(dns_type_name(query->questions[0].type) == one.type);
  }
}

TEST_CASE("an answer has the question as it was spelled, and the address of its type") {
  const auto asked = capture("dns/node-a.bin");
  const auto answer = answer_dns(*parse_dns_query(asked), kBoth);
  CHECK(Octets(answer.begin(), answer.begin() + 2) == Octets(asked.begin(), asked.begin() + 2));
  CHECK(answer[2] == 0x81);  // an answer, recursion desired
  CHECK(answer[3] == 0x80);  // recursion available, no error
  CHECK(answer[7] == 1);
  CHECK(Octets(answer.end() - 4, answer.end()) == Octets{198, 18, 0, 7});
  CHECK(std::equal(asked.begin() + 12, asked.end(), answer.begin() + 12));

  const auto six = answer_dns(*parse_dns_query(capture("dns/node-aaaa.bin")), kBoth);
  CHECK(six[7] == 1);
  CHECK(six.size() == answer.size() + 12);
}

TEST_CASE("a type without an address gets an empty answer without error; so does another class") {
  const auto text = answer_dns(*parse_dns_query(capture("dns/node-txt.bin")), kBoth);
  CHECK(text[7] == 0);
  CHECK((text[3] & 0xf) == 0);
  CHECK(answer_dns(*parse_dns_query(message("0161000001"
                                            "0003")),
                   kBoth)[7] == 0);
}

TEST_CASE("no such name") {
  const auto answer =
      answer_dns(*parse_dns_query(capture("dns/node-a.bin")), {dns::Code::no_such_name, {}, {}});
  CHECK((answer[3] & 0xf) == 3);
  CHECK(answer[7] == 0);
}

TEST_CASE("EDNS is answered with EDNS, and only then") {
  const auto with = make_dns_query(7, "a.example", dns::kA);
  const auto query = parse_dns_query(with);
  REQUIRE(query);
  CHECK(query->extended);
  const auto answer = answer_dns(*query, kBoth);
  CHECK(answer[11] == 1);
  CHECK(answer.size() > 11);
  CHECK(Octets(answer.end() - 11, answer.end() - 8) == Octets{0, 0, 41});
  CHECK_FALSE(parse_dns_query(message("016100"
                                      "00010001"))
                  ->extended);
}

TEST_CASE("every shorter beginning of a query is no well-formed query, and gets a format error") {
  each_truncation(make_dns_query(7, "a.long.example", dns::kTxt), [](const Octets& bytes) {
    const auto query = parse_dns_query(bytes);
    CHECK(query.has_value() == (bytes.size() >= 12));
    if (!query) return;
    CHECK_FALSE(query->well_formed);
    CHECK((answer_dns(*query, kBoth)[3] & 0xf) == 1);
  });
}

TEST_CASE("names that must not be followed") {
  const char* const names[] = {
      "c00c00010001",      // a pointer to itself
      "0161c00c00010001",  // to its own beginning: a circle
      "c00ec00c00010001",  // forward, and back
      "c0ff00010001",      // past the end
      "c0",                // half a pointer
      "40610000010001",    // a label type that does not exist
      "3f610000010001",    // a label longer than the message
  };
  for (const auto* name : names) {
    INFO(name);
    const auto query = parse_dns_query(message(name));
    REQUIRE(query);
    CHECK_FALSE(query->well_formed);
    CHECK((answer_dns(*query, kBoth)[3] & 0xf) == 1);
  }
}

TEST_CASE("a name of 255 bytes is the longest") {
  std::string label;
  for (int i = 0; i < 49; ++i) label += "61";
  std::string longest;
  for (int i = 0; i < 5; ++i) longest += "31" + label;  // 5 * 50
  CHECK(parse_dns_query(message(longest + "03616161"
                                          "00"
                                          "00010001"))
            ->well_formed);
  CHECK_FALSE(parse_dns_query(message(longest + "0461616161"
                                                "00"
                                                "00010001"))
                  ->well_formed);
}

TEST_CASE("a second name may point at the first") {
  const auto query =
      parse_dns_query(from_hex("123401000002000000000000"
                               "0161016200"
                               "00010001"
                               "0163c00e"
                               "00010001"));
  REQUIRE(query);
  REQUIRE(query->questions.size() == 2);
  CHECK(query->questions[1].name == "c.b");
  CHECK((answer_dns(*query, kBoth)[3] & 0xf) == 1);  // RFC 9619: one question
}

TEST_CASE("a label that is no text is written so that it cannot forge a name") {
  const auto query =
      parse_dns_query(message("04"
                              "412e0a5c"
                              "00"
                              "00010001"));
  REQUIRE(query->questions.size() == 1);
  CHECK(query->questions[0].name == "a\\046\\010\\092");
  CHECK(parse_dns_query(message("00"
                                "00020001"))
            ->questions[0]
            .name == ".");
}

TEST_CASE("a number of questions or records that the message cannot hold") {
  auto bytes = capture("dns/node-a.bin");
  bytes[4] = bytes[5] = 0xff;
  const auto query = parse_dns_query(bytes);
  CHECK_FALSE(query->well_formed);
  CHECK(query->questions.size() == 1);
  auto records = capture("dns/node-a.bin");
  records[10] = 0xff;
  CHECK_FALSE(parse_dns_query(records)->well_formed);
}

TEST_CASE("many questions: all are read, some are kept") {
  std::string hex = "123401000040000000000000";
  for (int i = 0; i < 64; ++i)
    hex +=
        "0161000001"
        "0001";
  const auto query = parse_dns_query(from_hex(hex));
  CHECK(query->well_formed);
  CHECK(query->questions.size() == kDnsQuestionLimit);
}

TEST_CASE("what is no query gets no answer; an operation that is no query gets \"not known\"") {
  auto bytes = capture("dns/node-a.bin");
  bytes[2] |= 0x80;
  CHECK_FALSE(parse_dns_query(bytes));
  bytes[2] = 0x28;  // an update
  CHECK((answer_dns(*parse_dns_query(bytes), kBoth)[3] & 0xf) == 4);
}

TEST_CASE("a frame of TCP is a message after its length") {
  const auto message_bytes = capture("dns/node-a.bin");
  const auto framed = dns_frame(message_bytes);
  each_truncation(framed, [](const Octets& bytes) { CHECK_FALSE(first_dns_frame(bytes)); });
  const auto first = first_dns_frame(framed);
  REQUIRE(first);
  CHECK(Octets(first->begin(), first->end()) == message_bytes);
}

TEST_CASE("types have names, and names types") {
  CHECK(dns_type_name(65) == "HTTPS");
  CHECK(dns_type_name(65280) == "TYPE65280");
  CHECK(dns_type_of("HTTPS") == 65);
  CHECK(dns_type_of("TYPE65280") == 65280);
  CHECK(dns_type_of("NONSENSE") == 0);
}
