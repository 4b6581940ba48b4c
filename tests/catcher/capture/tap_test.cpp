#include "catcher/capture/tap.hpp"

#include <array>
#include <cstdio>
#include <fstream>

#include "catcher/control_caller.hpp"
#include "forking_enclosure.hpp"
#include "network_pair.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"
#include "support/temporary_folder.hpp"

using namespace telltale;
using namespace telltale::catcher;

namespace {

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (const auto size = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), size);
  CHECK(pclose(pipe) == 0);
  return text;
}

struct TapStage {
  test::NetworkPair pair;
  Scene scene{[] { return std::vector<pid_t>{}; }};
  test::ForkingEnclosure enclosure;
  ControlCaller caller{enclosure, scene, TELLTALE_CALLER, {}, ""};
  test::TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "capture.pcapng";
  Tap tap{scene, {pair.in_world(), "world0", file}};

  explicit TapStage(test::NetworkPair made) : pair(std::move(made)) {
    enclosure.network = pair.subject();
    scene.set(1, "control");
  }
};

std::optional<test::NetworkPair> a_pair() {
  auto pair = test::NetworkPair::make();
  if (!test::require(pair.has_value(), "root and ip(8), to make network namespaces"))
    return std::nullopt;
  return pair;
}

}  // namespace

TEST_CASE("the tap captures a caller's TCP, UDP and ICMP, and tshark reads the file") {
  auto pair = a_pair();
  if (!pair) return;
  TapStage stage(std::move(*pair));
  REQUIRE(stage.tap.start(stage.enclosure));
  const auto control = stage.tap.prove("launch 1, before", stage.caller);
  INFO(control.observed);
  CHECK(control.held);
  stage.scene.set(1, "drive");
  REQUIRE(stage.caller.run({"udp", "192.0.2.7", "4444", "what the subject said"}));
  stage.tap.stop();
  CHECK(stage.tap.record().ran_to_the_end());
  CHECK(stage.tap.record().lost == 0);

  const auto all = stage.tap.sightings();
  CHECK(all.size() == 7);
  const Sighting* mine = nullptr;
  for (const auto& sighting : all) {
    CHECK(sighting.kind.empty());
    if (sighting.host == "192.0.2.7")
      mine = &sighting;
    else
      CHECK((sighting.phase == "control" && stage.scene.is_control(sighting.host, sighting.port)));
  }
  REQUIRE(mine != nullptr);
  CHECK(mine->phase == "drive");
  CHECK(mine->protocol == "udp");
  CHECK(mine->port == 4444);
  CHECK(mine->packets == 1);
  CHECK(mine->bytes == 14 + 20 + 8 + 21);

  REQUIRE(stage.tap.comment([](const FlowKey& flow) {
    return flow.host() == "192.0.2.7" ? std::string("/bin/subject (7), egress-1") : std::string();
  }));
  if (!test::require(test::have_program("tshark"), "tshark")) return;
  const auto read = output_of("tshark -r " + stage.file.string() +
                              " -T fields -e ip.dst -e udp.dstport -e frame.comment"
                              " -e frame.time_epoch -Y 'udp.dstport==4444 && !icmp' 2>/dev/null");
  INFO(read);
  CHECK(read.find("192.0.2.7\t4444\t/bin/subject (7), egress-1\t") == 0);
  CHECK(output_of("tshark -r " + stage.file.string() +
                  " -Y 'frame.comment && !icmp' 2>/dev/null | wc -l") == "1\n");
  CHECK(output_of("tshark -r " + stage.file.string() + " -Y icmp 2>/dev/null").find("Echo") !=
        std::string::npos);
}

TEST_CASE("a tap on an interface that nothing passes fails its control") {
  auto pair = a_pair();
  if (!pair) return;
  TapStage stage(std::move(*pair));
  Tap tap(stage.scene, {stage.pair.in_world(), "lo", {}});
  REQUIRE(tap.start(stage.enclosure));
  const auto control = tap.prove("launch 1, before", stage.caller);
  CHECK_FALSE(control.held);
  CHECK(control.observed.find("was not seen") != std::string::npos);
  CHECK_FALSE(Tap(stage.scene, {stage.pair.in_world(), "nosuch0", {}}).start(stage.enclosure));
}

TEST_CASE("a stimulus that could not happen is no sight") {
  auto pair = a_pair();
  if (!pair) return;
  TapStage stage(std::move(*pair));
  REQUIRE(stage.tap.start(stage.enclosure));
  REQUIRE(stage.pair.in_subject()([]() -> Result<> {
    return std::system("ip link set eth0 down") == 0 ? Result<>{} : fail(Fault::instrument, "");
  }));
  const auto control = stage.tap.prove("launch 1, before", stage.caller);
  CHECK_FALSE(control.held);
  CHECK(control.observed.find("did not happen") != std::string::npos);
}
