#include "catcher/sent/sent_values.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace telltale::catcher;

namespace {

// Looks for the values as they are.
class PlainSearch final : public SentSearch {
 public:
  explicit PlainSearch(std::vector<SentValue> values) : values_(std::move(values)) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i].value.size() < 8) left_out_.push_back(i);
  }
  [[nodiscard]] std::vector<SentMatch> find(std::string_view bytes) const override {
    std::vector<SentMatch> found;
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i].value.size() >= 8 && bytes.find(values_[i].value) != bytes.npos)
        found.push_back({i, "raw"});
    return found;
  }
  [[nodiscard]] std::size_t longest() const override { return 12; }
  [[nodiscard]] const std::vector<std::size_t>& left_out() const override { return left_out_; }

 private:
  std::vector<SentValue> values_;
  std::vector<std::size_t> left_out_;
};

struct Looking {
  Scene scene{[] { return std::vector<pid_t>(); }};
  SentValues sent{scene, [](const auto& values) { return std::make_unique<PlainSearch>(values); },
                  true};
};

SentHit hit(std::string host, std::uint16_t port, std::set<std::string> observers) {
  SentHit made;
  made.value = "canary 1";
  made.host = std::move(host);
  made.port = port;
  made.observers = std::move(observers);
  return made;
}

}  // namespace

TEST_CASE("a value is found where it went, also when two reads cut it") {
  Looking looking;
  auto& sent = looking.sent;
  SentStream before, stream;
  sent.feed(before, "canaryone", {"answerer", "tcp", "a.example", 80, ""});  // not looked for yet
  sent.look_for({{"canary 1", "canaryone"}, {"pin", "1234"}});
  looking.scene.set(2, "drive");
  sent.feed(stream, "...cana", {"answerer", "tcp", "b.example", 80, "/usr/bin/b"});
  CHECK(sent.hits().empty());
  sent.feed(stream, "ryone...", {"answerer", "tcp", "b.example", 80, "/usr/bin/b"});
  const auto hits = sent.hits();
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].value == "canary 1");
  CHECK(hits[0].host == "b.example");
  CHECK(hits[0].executables == std::set<std::string>{"/usr/bin/b"});
  CHECK(hits[0].launches == std::set<int>{2});
  CHECK(sent.left_out() == std::vector<std::string>{"pin"});
}

TEST_CASE("the values of earlier launches stay looked for") {
  Looking looking;
  looking.sent.look_for({{"canary 1 of launch 1", "canaryone"}});
  looking.sent.look_for({{"canary 1 of launch 2", "canarytwo"}});
  SentStream one;
  looking.sent.feed(one, "canaryone canarytwo", {"datagrams", "udp", "192.0.2.1", 9, ""});
  CHECK(looking.sent.hits().size() == 2);
}

TEST_CASE("an address and its name are one place; the way to a server of the tool is no place") {
  const auto name_of = [](const std::string& address) -> std::optional<std::string> {
    return address == "198.18.0.1" ? std::optional<std::string>("a.example") : std::nullopt;
  };
  const auto is_the_tools = [](const SentHit& one) { return one.port == 53; };
  const auto merged =
      merge_hits({hit("a.example", 80, {"answerer"}), hit("198.18.0.1", 80, {"tap"}),
                  hit("x.a.example", 53, {"resolver"}), hit("198.51.100.1", 53, {"tap"})},
                 name_of, is_the_tools);
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].observers == std::set<std::string>{"answerer", "tap"});
  CHECK(merged[1].host == "x.a.example");
  // What nobody else has read stands, wherever it went.
  CHECK(merge_hits({hit("198.51.100.1", 53, {"tap"})}, name_of, is_the_tools).size() == 1);
}
