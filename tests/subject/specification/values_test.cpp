#include "subject/specification/values.hpp"

#include <csignal>

#include "support/catch.hpp"

using namespace telltale::subject;

TEST_CASE("durations have a unit") {
  CHECK(parse_duration("500ms") == Milliseconds(500));
  CHECK(parse_duration("30s") == Milliseconds(30'000));
  CHECK(parse_duration("1.5s") == Milliseconds(1'500));
  CHECK(parse_duration("2m") == Milliseconds(120'000));
  CHECK(parse_duration("24h") == kLongest);
  CHECK(parse_duration("0s") == Milliseconds(0));
  for (const auto* wrong : {"", "s", "30", "30 s", "-1s", "+1s", "1.s", ".5s", "1..2s", "1e3s",
                            "25h", "99999999999999999999h", "30S", "30sec", "1s2", "0x1s", "1d"}) {
    INFO(wrong);
    CHECK_FALSE(parse_duration(wrong));
  }
}

TEST_CASE("signals have names and numbers") {
  CHECK(parse_signal("TERM") == SIGTERM);
  CHECK(parse_signal("SIGINT") == SIGINT);
  CHECK(parse_signal("9") == SIGKILL);
  for (const auto* wrong : {"", "SIG", "term", "0", "65", "-1", "+9", "TERM ", "9x"}) {
    INFO(wrong);
    CHECK_FALSE(parse_signal(wrong));
  }
  for (const auto& name : signal_names()) CHECK(parse_signal(name));
}

TEST_CASE("dates are days of the calendar") {
  CHECK(is_date("2027-06-30"));
  CHECK(is_date("2028-02-29"));
  for (const auto* wrong : {"", "2027-02-29", "2027-13-01", "2027-00-01", "2027-6-30", "27-06-30",
                            "2027/06/30", "2027-06-31", "2027-06-3a", "2027-06-300"}) {
    INFO(wrong);
    CHECK_FALSE(is_date(wrong));
  }
}

TEST_CASE("whole numbers, names and pointers") {
  CHECK(parse_whole("12") == 12);
  CHECK(parse_whole("+12") == 12);
  CHECK(parse_whole("-12") == -12);
  for (const auto* wrong : {"", "+", "-", "1.0", "1e3", "0x10", " 1", "1 ", "99999999999", "+-1"})
    CHECK_FALSE(parse_whole(wrong));
  CHECK(is_name("api_2-b"));
  for (const auto* wrong : {"", "2api", "a.b", "a b", "\xC3\xA9"}) CHECK_FALSE(is_name(wrong));
  for (const auto* right : {"", "/", "/a/0/b", "/a~0b~1c"}) CHECK(is_json_pointer(right));
  for (const auto* wrong : {"a", "/a~", "/a~2"}) CHECK_FALSE(is_json_pointer(wrong));
}
