#include "subject/listening.hpp"

#include <algorithm>
#include <csignal>

#include "subject/enclosure.hpp"
#include "subject/launch/free_ports.hpp"
#include "support/catch.hpp"
#include "world.hpp"

using namespace telltale;
using namespace telltale::subject;

namespace {

// What an actor listens on, once it has said that it does.
struct Listening {
  std::unique_ptr<Enclosure> enclosure = make_plain_enclosure();
  std::unique_ptr<Process> process;
  std::vector<ListeningSocket> sockets;

  explicit Listening(std::vector<std::string> acts, const std::filesystem::path& ready) {
    ProcessPlan plan;
    plan.argv = std::move(acts);
    plan.argv.insert(plan.argv.begin(), test::actor());
    plan.argv.push_back("touch:" + ready.string());
    plan.argv.push_back("pause");
    auto started = enclosure->start(std::move(plan));
    REQUIRE(started);
    process = std::move(*started);
    REQUIRE(test::eventually([&] { return std::filesystem::exists(ready); }));
    ProcessTree tree(process->pid(), false);
    sockets = listening_sockets(tree.look());
  }
};

}  // namespace

TEST_CASE("listeners of a subject are found with port, address and program") {
  const test::TemporaryFolder folder;
  const auto enclosure = make_plain_enclosure();
  const auto ports = free_ports(*enclosure, 2);
  REQUIRE(ports);
  const std::string path = (folder / "a socket").string();
  const Listening subject(
      {"tcp:" + std::to_string((*ports)[0]), "udp:" + std::to_string((*ports)[1]), "unix:" + path},
      folder / "ready");
  REQUIRE(subject.sockets.size() == 3);
  const auto find = [&](auto what) {
    return std::find_if(subject.sockets.begin(), subject.sockets.end(), what);
  };
  const auto tcp = find([&](const auto& socket) { return socket.port == (*ports)[0]; });
  REQUIRE(tcp != subject.sockets.end());
  CHECK(tcp->address == "127.0.0.1");
  CHECK_FALSE(tcp->udp);
  CHECK(tcp->pid == subject.process->pid());
  CHECK(tcp->executable.ends_with("subject_actor"));
  const auto udp = find([&](const auto& socket) { return socket.port == (*ports)[1]; });
  REQUIRE(udp != subject.sockets.end());
  CHECK(udp->udp);
  CHECK(find([&](const auto& socket) { return socket.address == path; }) != subject.sockets.end());
}

TEST_CASE("a listener that children inherited is one listener") {
  const test::TemporaryFolder folder;
  const auto enclosure = make_plain_enclosure();
  const auto ports = free_ports(*enclosure, 1);
  const Listening subject({"tcp:" + std::to_string((*ports)[0]), "fork", "fork"}, folder / "ready");
  REQUIRE(subject.sockets.size() == 1);
  CHECK(subject.sockets.front().pid == subject.process->pid());
  ProcessTree tree(subject.process->pid(), false);
  CHECK(test::eventually([&] {
    for (const auto& entry : tree.look()) signal_process(entry, SIGKILL);
    return tree.look().empty();
  }));
}

TEST_CASE("listeners of other programs are not the subject's") {
  const test::TemporaryFolder folder;
  const auto enclosure = make_plain_enclosure();
  const auto mine = enclosure->listen();
  REQUIRE(mine);
  const Listening subject({}, folder / "ready");
  CHECK(subject.sockets.empty());
}
