// The observers that answer, over the sockets of a sealed world, with a real program inside.
#include <algorithm>

#include "catcher/answering_plans.hpp"
#include "catcher/attempt.hpp"
#include "catcher/control_caller.hpp"
#include "inside.hpp"
#include "subject/descendants.hpp"
#include "support/catch.hpp"

using namespace telltale;
using namespace telltale::test;

namespace {

struct AnsweringWorld {
  AnsweringWorld() {
    scene.set(1, "start");
    REQUIRE(resolver.start(*sealed()));
    REQUIRE(answerer.start(*sealed()));
    REQUIRE(sink.start(*sealed()));
  }
  // All sightings, once everything has arrived.
  [[nodiscard]] std::vector<catcher::Sighting> finish() {
    std::vector<catcher::Sighting> all;
    for (catcher::Observer* observer :
         {static_cast<catcher::Observer*>(&resolver), static_cast<catcher::Observer*>(&answerer),
          static_cast<catcher::Observer*>(&sink)}) {
      observer->stop();
      CHECK(observer->record().ran_to_the_end());
      CHECK(observer->record().lost == 0);
      const auto seen = observer->sightings();
      all.insert(all.end(), seen.begin(), seen.end());
    }
    return all;
  }

  catcher::Scene scene{subject::descendants_of_this_process};
  catcher::NameTable names;
  catcher::World& world = sealed()->world();
  catcher::Resolver resolver{scene, names, catcher::resolver_plan(world)};
  catcher::Answerer answerer{scene, names,
                             catcher::answerer_plan(world, catcher::AnswerMode::accept_close)};
  catcher::DatagramSink sink{scene, names, catcher::datagram_sink_plan(world)};
};

const catcher::Attempt* find(const std::vector<catcher::Attempt>& attempts,
                             const std::string& protocol, const std::string& host) {
  const auto at = std::find_if(attempts.begin(), attempts.end(), [&](const auto& one) {
    return one.protocol == protocol && one.host == host;
  });
  return at == attempts.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("a name is asked for, connected to and spoken to: each is seen with its program") {
  if (!have_world()) return;
  AnsweringWorld answering;
  const auto ran = python_inside(R"(
import ssl
found = socket.getaddrinfo('telemetry.example', 443, type=socket.SOCK_STREAM)
print(sorted({one[4][0] for one in found}))
for one in found:
    s = socket.create_connection(one[4][:2])
    try:
        ssl.create_default_context().wrap_socket(s, server_hostname='telemetry.example')
    except (ssl.SSLError, OSError):
        print('closed')
)");
  CHECK(ran.output == "['198.18.0.1', '2001:2::1']\nclosed\nclosed\n");
  const auto merged = catcher::merge(answering.finish());
  const auto* question = find(merged.attempts, "dns", "telemetry.example");
  REQUIRE(question != nullptr);
  CHECK(question->said == std::set<std::string>{"DNS question A", "DNS question AAAA"});
  CHECK(question->addresses == std::set<std::string>{catcher::kWorldAddress4});
  CHECK_THAT(question->executable, Holds("python"));
  const auto* connection = find(merged.attempts, "tcp", "telemetry.example");
  REQUIRE(connection != nullptr);
  CHECK(connection->port == 443);
  CHECK(connection->count == 2);
  CHECK(connection->addresses == std::set<std::string>{"198.18.0.1", "2001:2::1"});
  CHECK_THAT(connection->executable, Holds("python"));
  REQUIRE(connection->said.size() == 1);
  CHECK_THAT(*connection->said.begin(), Holds("TLS hello, SNI telemetry.example"));
}

TEST_CASE("a hard-coded resolver is answered from its own address, by UDP and TCP") {
  if (!have_world()) return;
  AnsweringWorld answering;
  const auto ran = python_inside(R"(
query = bytes.fromhex('1234010000010000000000000161076578616d706c650000010001')
for family, address in ((socket.AF_INET, '9.9.9.9'), (socket.AF_INET6, '2001:4860:4860::8888')):
    u = socket.socket(family, socket.SOCK_DGRAM)
    u.settimeout(10)
    u.connect((address, 53))
    u.send(query)
    print(u.recv(512)[-4:].hex())
    t = socket.create_connection((address, 53))
    t.settimeout(10)
    t.sendall(len(query).to_bytes(2, 'big') + query)
    print(t.recv(512)[-4:].hex())
)");
  CHECK(ran.output == "c6120001\nc6120001\nc6120001\nc6120001\n");
  const auto merged = catcher::merge(answering.finish());
  const auto* question = find(merged.attempts, "dns", "a.example");
  REQUIRE(question != nullptr);
  CHECK(question->count == 4);
  CHECK(question->addresses == std::set<std::string>{"2001:4860:4860::8888", "9.9.9.9"});
  CHECK(question->said == std::set<std::string>{"DNS question A", "DNS question A over TCP"});
}

TEST_CASE("packets: where they were to go, IPv4, IPv6 and broadcast") {
  if (!have_world()) return;
  AnsweringWorld answering;
  const auto ran = python_inside(R"(
four = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
four.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
four.sendto(bytes.fromhex('000100002112a442000102030405060708090a0b'), ('203.0.113.9', 3478))
four.sendto(b'any?', ('255.255.255.255', 1234))
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'six', ('2001:db8::9', 99))
print('sent')
)");
  CHECK(ran.output == "sent\n");
  const auto merged = catcher::merge(answering.finish());
  const auto* stun = find(merged.attempts, "udp", "203.0.113.9");
  REQUIRE(stun != nullptr);
  CHECK(stun->said == std::set<std::string>{"STUN binding request"});
  CHECK(find(merged.attempts, "udp", "2001:db8::9") != nullptr);
  CHECK(find(merged.attempts, "udp", "255.255.255.255") != nullptr);
}

TEST_CASE("the observers that answer are proved from inside") {
  if (!have_world()) return;
  AnsweringWorld answering;
  catcher::ControlCaller caller(*sealed(), answering.scene, caller_program(),
                                {{"PATH", "/usr/bin:/bin"}}, "");
  for (catcher::Observer* observer : {static_cast<catcher::Observer*>(&answering.resolver),
                                      static_cast<catcher::Observer*>(&answering.answerer),
                                      static_cast<catcher::Observer*>(&answering.sink)}) {
    const auto control = observer->prove("launch 1, before", caller);
    INFO(control.name << ": " << control.observed);
    CHECK(control.held);
  }
  CHECK(answering.finish().empty());
}
