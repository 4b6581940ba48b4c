#include "catcher/world/seal_controls.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

namespace telltale::catcher {

namespace {

using SealClock = std::chrono::steady_clock;

// How long a connection that got out may take to arrive, after its caller was told that it is there
// or refused; on this machine it is microseconds.
constexpr std::chrono::milliseconds kArrival{10};

std::string machine_address() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return "127.0.0.2";
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(list, freeifaddrs);
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    if ((entry->ifa_flags & IFF_LOOPBACK) != 0 || (entry->ifa_flags & IFF_UP) == 0) continue;
    char text[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr, text,
              sizeof text);
    return text;
  }
  return "127.0.0.2";
}

evidence::Control negative(const std::string& what, const std::string& when, std::string expected) {
  return {fmt::format("seal: {}, {}", what, when),
          "",
          evidence::Polarity::negative,
          std::move(expected),
          "",
          false};
}

// A listener in the network of the calling thread; the port that the kernel chose.
subject::FileDescriptor listen_at(const std::string& text, std::uint16_t& port) {
  subject::FileDescriptor made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, text.c_str(), &address.sin_addr);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(made.get(), generic, size) != 0 || listen(made.get(), 8) != 0 ||
      getsockname(made.get(), generic, &size) != 0)
    made.reset();
  port = ntohs(address.sin_port);
  return made;
}

// What the caller has tried: a refusal counts, silence does not.
evidence::Control not_reached(const std::string& address, const ControlRound::Said& said,
                              bool reached, evidence::Control control) {
  control.expected = "a listener on " + address + " of this machine sees nothing";
  control.held = said.heard && !reached;
  control.observed = reached       ? "it was reached from inside"
                     : !said.heard ? "the caller did not try: " + said.text
                                   : fmt::format("nothing came (inside: {})", said.text);
  return control;
}

}  // namespace

void SealControls::add_listener(const std::string& what, const std::string& address,
                                ControlRound& round) {
  std::uint16_t port = 0;
  Listening one{what, address, listen_at(address, port), {}, 0};
  if (one.socket.valid()) {
    round.expect_at(address, port);
    one.act = round.add({"tcp", address, std::to_string(port)});
  } else {
    one.failure = fmt::format("no listener on {}: {}", address, std::strerror(errno));
  }
  listening_.push_back(std::move(one));
}

void SealControls::ask(ControlRound& round) {
  listening_.clear();
  add_listener("loopback", "127.0.0.1", round);
  add_listener("own address", machine_address(), round);
  if (!own_network_) return;
  subject::FileDescriptor network(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  network_failure_.clear();
  if (!network.valid())
    network_failure_ = std::string("its descriptor could not be opened: ") + std::strerror(errno);
  round.give(std::move(network));
  enter_ = round.add({"enter-network"});
}

std::vector<evidence::Control> SealControls::check(const std::string& when,
                                                   const ControlRound& round) {
  std::vector<evidence::Control> all;
  const auto until = round.ended() + kArrival;
  for (const auto& [what, address, socket, failure, act] : listening_) {
    auto control = negative(what, when, "");
    if (failure.empty()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - SealClock::now());
      pollfd arrival{socket.get(), POLLIN, 0};
      const bool reached = poll(&arrival, 1, std::max(0, static_cast<int>(left.count()))) != 0;
      control = not_reached(address, round.said(act), reached, std::move(control));
    } else {
      control.observed = failure;
    }
    all.push_back(std::move(control));
  }
  listening_.clear();
  if (!own_network_) return all;
  auto network = negative("network", when, "entering this machine's network is refused");
  const auto& said = round.said(enter_);
  network.observed = !network_failure_.empty()  ? network_failure_
                     : said.heard && !said.done ? "failed " + said.text
                                                : said.text;
  network.held = network.observed == std::string("failed ") + std::strerror(EPERM);
  all.push_back(std::move(network));
  return all;
}

}  // namespace telltale::catcher
