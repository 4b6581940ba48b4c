// What the observers that answer have in common: where they work, and a thread each.
//
// The sockets that the world redirects to them, and the threads that serve these, belong to the
// world's network namespace; the sockets of the subject are looked up in the subject's. A namespace
// is a thread's, so both are entered through these two functions of the world. By default there is
// one namespace, the tool's own.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "catcher/scene.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "catcher/within.hpp"
#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

struct FarSide {
  using Work = std::function<Result<>()>;
  Within in_world = [](const Work& work) { return work(); };
  Within in_subject = [](const Work& work) { return work(); };
  // Where what comes from this end was to go, where the kernel does not tell; nothing: as it tells.
  std::function<std::optional<Endpoint>(const Endpoint& client, bool udp)> destination_of =
      [](const Endpoint&, bool) { return std::optional<Endpoint>(); };
};

// A descriptor that is open elsewhere; -1: there is none.
using SocketSource = std::function<int()>;

// A duplicate, non-blocking. Fault::instrument, with `whose` named.
[[nodiscard]] Result<subject::FileDescriptor> duplicate(const SocketSource& source,
                                                        const std::string& whose);

// A thread that serves until it is told to stop.
class ServingThread {
 public:
  ServingThread() = default;
  ServingThread(const ServingThread&) = delete;
  ServingThread& operator=(const ServingThread&) = delete;
  ~ServingThread() { stop(); }

  // `body` gets a descriptor that becomes readable when it is to end. What it throws is failure().
  [[nodiscard]] Result<> start(const FarSide& side, std::function<void(int stop)> body);
  void stop();
  [[nodiscard]] bool running() const { return thread_.joinable(); }
  [[nodiscard]] const std::string& failure() const { return failure_; }  // after stop()

 private:
  subject::FileDescriptor stop_;
  std::thread thread_;
  std::string failure_;
};

// Where a control goes: `given`, or else a fresh address of each family. The scene knows them.
[[nodiscard]] std::vector<Endpoint> probes_of(const std::vector<Endpoint>& given, Scene& scene);

// An IPv4-mapped address reads as IPv4.
[[nodiscard]] Endpoint endpoint_of(const sockaddr_storage& address);
// False for text that is no numeric address. With `mapped`, IPv4 becomes IPv4-mapped IPv6.
[[nodiscard]] bool to_address(const Endpoint& endpoint, bool mapped, sockaddr_storage& address,
                              socklen_t& length);

struct Datagram {
  sockaddr_storage from{};
  socklen_t from_length = 0;
  sockaddr_storage to{};  // what it was sent to, before any redirection
  std::size_t size = 0;   // bytes in the buffer
};

// One packet of a socket with RECVORIGDSTADDR; false when none is waiting.
[[nodiscard]] bool receive(int socket, std::span<std::uint8_t> buffer, Datagram& datagram);

}  // namespace telltale::catcher
