// What the sampler knows: every socket of the subject's processes that a pass has met, each once.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "catcher/scene.hpp"
#include "catcher/sighting.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "subject/listening.hpp"

namespace telltale::catcher {

// A socket with a peer, as it was first met.
struct Connection {
  RawSocket socket;
  evidence::Instant at;
  Moment moment;
  pid_t pid = 0;
  std::string executable;
};

// A socket of the subject's that was listening, as it was first met; its process may be gone.
struct MetListener {
  Moment moment;
  subject::ListeningSocket socket;
};

class SocketTable {
 public:
  // Resolves which process holds which socket; asked only when a pass met an unknown one.
  using Owners = std::function<std::unordered_map<std::uint32_t, pid_t>()>;

  // One pass: begin(), meet() each socket of the dump, then resolve().
  void begin() { pending_ = false; }
  void meet(const RawSocket& socket);
  void resolve(const Owners& owners, const Moment& moment);

  // The last pass met a socket of which there is more to learn: nobody had accepted it, or no
  // process was found to hold it.
  [[nodiscard]] bool pending() const { return pending_; }

  [[nodiscard]] const std::vector<Connection>& connections() const { return connections_; }
  // Ports that processes of the subject were seen to listen on (TCP) or to be bound to (UDP).
  [[nodiscard]] std::size_t listeners() const { return listeners_.size(); }
  // Without UDP sockets on ports that the kernel hands out: those of clients look the same.
  [[nodiscard]] const std::vector<MetListener>& met_listeners() const { return met_listeners_; }

  // Accepted by a listener of the subject, or the subject talking to a listener of its own.
  [[nodiscard]] bool incoming(const Connection& connection) const;
  [[nodiscard]] bool to_itself(const Connection& connection) const;

 private:
  struct Entry {
    std::uint64_t last_pass = 0;
    int tries = 0;          // passes in which no process was found to hold it
    bool known = false;     // nothing more to learn
    bool had_peer = false;  // a UDP socket may be connected later
  };

  using Port = std::tuple<int, std::uint8_t, std::uint16_t>;  // launch, protocol, port

  void take(const RawSocket& socket, pid_t pid, const Moment& moment);
  void remember_listener(const RawSocket& socket, pid_t pid, const Moment& moment);
  void forget_closed();

  std::uint64_t pass_ = 0;
  bool pending_ = false;
  std::unordered_map<std::uint32_t, Entry> entries_;  // by inode
  std::vector<RawSocket> candidates_;                 // of this pass
  std::vector<Connection> connections_;
  std::set<Port> listeners_;
  std::vector<MetListener> met_listeners_;
};

}  // namespace telltale::catcher
