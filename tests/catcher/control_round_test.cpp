#include "catcher/control_round.hpp"

#include <algorithm>
#include <csignal>

#include "proving.hpp"
#include "support/catch.hpp"

using namespace telltale;
using catcher::ControlRound;

TEST_CASE("every act of a round is told of, done or not") {
  test::Proving proving;
  ControlRound round(proving.caller);
  const auto sent = round.add({"udp", "127.0.0.1", "9", "a word"});
  const auto refused = round.add({"unix", "/proc/nowhere/at/all"});
  const auto unknown = round.add({"dance"});
  round.run();
  CHECK(round.said(sent).done);
  CHECK_THAT(round.said(sent).text, test::Holds("sent "));
  CHECK(round.said(refused).heard);
  CHECK_FALSE(round.said(refused).done);
  CHECK(round.said(refused).text == "No such file or directory");
  CHECK(round.said(unknown).text == "no such act");
  CHECK(proving.scene.is_caller(round.caller()));
}

TEST_CASE(
    "acts of a round are under way at the same time, and last until the observers have looked") {
  test::Proving proving;
  const auto listener = proving.enclosure->listen();
  REQUIRE(listener);
  ControlRound round(proving.caller);
  const auto port = std::to_string(listener->port);
  const auto one = round.add({"hold", listener->address, port});
  const auto burst = round.add({"burst", listener->address, port, "3", "2"});
  const auto other = round.add({"hold", listener->address, port});
  round.run();  // a held connection is let go by nobody meanwhile
  CHECK_THAT(round.said(one).text, test::Holds("held "));
  CHECK_THAT(round.said(other).text, test::Holds("held "));
  CHECK(std::count(round.said(burst).text.begin(), round.said(burst).text.end(), ' ') == 2);
  CHECK(kill(round.caller(), 0) == 0);
}

TEST_CASE("a caller that does not start, or ends early, has said nothing") {
  test::Proving proving;
  const auto observed = [&](const char* program) {
    catcher::ControlCaller caller(*proving.enclosure, proving.scene, program, {}, "");
    ControlRound round(caller);
    round.add_stimuli();
    const auto act = round.add({"udp", "127.0.0.1", "9", "a word"});
    round.run();
    CHECK_FALSE(round.said(act).heard);
    CHECK_FALSE(round.stimuli_failure().empty());
    return round.said(act).text;
  };
  CHECK_THAT(observed("/nowhere/telltale-caller"), test::Holds("/nowhere/telltale-caller"));
  CHECK(observed("/bin/false") == "the caller ended with exit status 1");
  CHECK_THAT(observed("/bin/echo"), test::Holds("ended with exit status 0"));
}
