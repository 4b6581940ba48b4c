#include "catcher/world/seal_controls.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace telltale::catcher {

namespace {

// How long a connection that got out may take to arrive; on this machine it is microseconds.
constexpr int kArrivalMs = 20;

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

std::string said_first(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

evidence::Control not_reached(const std::string& what, const std::string& address,
                              const std::string& when, ControlCaller& caller) {
  auto control = negative(what, when, "a listener on " + address + " of this machine sees nothing");
  std::uint16_t port = 0;
  const auto listener = listen_at(address, port);
  if (!listener.valid()) {
    control.observed = fmt::format("no listener on {}: {}", address, std::strerror(errno));
    return control;
  }
  caller.expect_at(address, port);
  const auto report = caller.run({"tcp", address, std::to_string(port)});
  if (!report) {
    control.observed = report.error().what;
    return control;
  }
  pollfd arrival{listener.get(), POLLIN, 0};
  const bool reached = poll(&arrival, 1, kArrivalMs) != 0;
  const bool tried = report->exit.clean() || report->output.starts_with("failed ");
  control.held = tried && !reached;
  control.observed = reached ? "it was reached from inside"
                     : !tried
                         ? "the caller did not try: " + report->exit.text()
                         : fmt::format("nothing came (inside: {})", said_first(report->output));
  return control;
}

evidence::Control not_entered(const std::string& when, ControlCaller& caller) {
  auto control = negative("network", when, "entering this machine's network is refused");
  subject::FileDescriptor network(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  if (!network.valid()) {
    control.observed = std::string("its descriptor could not be opened: ") + std::strerror(errno);
    return control;
  }
  const auto report = caller.run({"enter-network"}, std::move(network));
  control.observed = report ? said_first(report->output) : report.error().what;
  control.held = control.observed == std::string("failed ") + std::strerror(EPERM);
  return control;
}

}  // namespace

std::vector<evidence::Control> prove_seal(const std::string& when, ControlCaller& caller) {
  return {not_reached("loopback", "127.0.0.1", when, caller),
          not_reached("own address", machine_address(), when, caller), not_entered(when, caller)};
}

}  // namespace telltale::catcher
