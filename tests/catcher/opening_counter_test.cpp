#include "catcher/opening_counter.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>

#include "network_pair.hpp"
#include "support/catch.hpp"
#include "support/requirement.hpp"

using namespace telltale;

namespace {

subject::FileDescriptor tcp_socket(int family) {
  return subject::FileDescriptor(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

}  // namespace

// In a network that nobody else uses.
TEST_CASE("a listener and a connection are changes, and nothing else is") {
  auto pair = test::NetworkPair::make();
  if (!test::require(pair.has_value(), "root and ip(8), to make network namespaces")) return;
  catcher::OpeningCounter counter;
  subject::FileDescriptor listener, six, caller;
  sockaddr_in address{};
  const auto inside = [&](const std::function<void()>& work) {
    REQUIRE(pair->in_subject()([&]() -> Result<> {
      work();
      return {};
    }));
  };
  inside([&] {
    std::system("ip link set lo up");
    counter = catcher::OpeningCounter::open();
    listener = tcp_socket(AF_INET);
    six = tcp_socket(AF_INET6);
    caller = tcp_socket(AF_INET);
  });
  CHECK(counter.changed());
  CHECK_FALSE(counter.changed());
  inside([&] {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(bind(listener.get(), raw, length) == 0);
    REQUIRE(listen(listener.get(), 8) == 0);
    REQUIRE(getsockname(listener.get(), raw, &length) == 0);
  });
  CHECK(counter.changed());
  CHECK_FALSE(counter.changed());
  REQUIRE(listen(six.get(), 8) == 0);
  CHECK(counter.changed());
  REQUIRE(connect(caller.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  CHECK(counter.changed());
  CHECK_FALSE(counter.changed());
  caller.reset();
  caller = tcp_socket(AF_INET);  // ours, of another network: no change there but the end
  (void)counter.changed();
  CHECK_FALSE(counter.changed());
}

TEST_CASE("a counter that cannot be read has always changed") {
  catcher::OpeningCounter none;
  CHECK(none.changed());
  CHECK(none.changed());
}
