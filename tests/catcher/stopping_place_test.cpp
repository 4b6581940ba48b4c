#include "catcher/stopping_place.hpp"

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

Sighting asked(int second, const std::string& host, std::uint16_t port, int launch = 1) {
  Sighting sighting;
  sighting.observer = "answerer";
  sighting.at = telltale::evidence::Instant(std::chrono::seconds(second));
  sighting.launch = launch;
  sighting.protocol = "tcp";
  sighting.host = host;
  sighting.port = port;
  sighting.executable = "/usr/bin/client";
  return sighting;
}

Sighting answered(Sighting sighting) {
  sighting.answered_by = "the file";
  return sighting;
}

Sighting of_party(Sighting sighting) {
  sighting.party = "companion db";
  return sighting;
}

}  // namespace

TEST_CASE("a subject stopped at the last place that it asked, when nobody answered there") {
  CHECK(stopping_place({}, 1).empty());
  CHECK(stopping_place({asked(1, "flags.example", 80), asked(2, "idp.example", 443)}, 1) ==
        "idp.example:443");
  CHECK(stopping_place({asked(2, "idp.example", 443), asked(1, "flags.example", 80)}, 1) ==
        "idp.example:443");
  CHECK(stopping_place({asked(1, "idp.example", 443), answered(asked(2, "flags.example", 80))}, 1)
            .empty());
  CHECK(stopping_place({answered(asked(1, "flags.example", 80)), asked(2, "idp.example", 443)},
                       1) == "idp.example:443");
}

TEST_CASE("another launch, and who only watches, say nothing of where it stopped") {
  CHECK(stopping_place({asked(1, "idp.example", 443, 2)}, 1).empty());
  auto counted = asked(2, "idp.example", 443);
  counted.observer = "ledger";
  CHECK(stopping_place({answered(asked(1, "idp.example", 443)), counted}, 1).empty());
}

TEST_CASE("a question that leads nowhere is a place to stop at") {
  auto question = asked(1, "idp.example", 0);
  question.observer = "resolver";
  question.protocol = "dns";
  CHECK(stopping_place({question}, 1) == "idp.example");
  CHECK(stopping_place({answered(question)}, 1).empty());
}

TEST_CASE("where a companion stopped, the subject did not") {
  CHECK(stopping_place({of_party(asked(1, "phone.example", 443))}, 1).empty());
  auto nobodys = asked(2, "phone.example", 443);
  nobodys.executable.clear();
  CHECK(stopping_place({of_party(asked(1, "phone.example", 443)), nobodys}, 1).empty());
  CHECK(stopping_place({of_party(asked(1, "phone.example", 443)), asked(2, "phone.example", 443)},
                       1) == "phone.example:443");
}
