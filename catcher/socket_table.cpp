#include "catcher/socket_table.hpp"

#include <netinet/tcp.h>

#include <cstring>

#include "catcher/socket_owner.hpp"

namespace telltale::catcher {

namespace {

// A socket that no process of ours holds after so many passes belongs to somebody else. More than
// one, since a process may be between the dump and our reading of its descriptors.
constexpr int kTries = 3;
constexpr std::uint64_t kForgetEvery = 500;  // passes; keeps the table as small as what is open

// The first that the kernel chooses by itself, unless ip_local_port_range was changed.
constexpr std::uint16_t kFirstEphemeral = 32768;

bool listens(const RawSocket& socket) {
  return socket.protocol == IPPROTO_TCP ? socket.state == TCP_LISTEN : socket.peer_port == 0;
}

bool waits_to_be_accepted(const RawSocket& socket) {
  return socket.protocol == IPPROTO_TCP &&
         (socket.state == TCP_ESTABLISHED || socket.state == TCP_SYN_RECV ||
          socket.state == TCP_CLOSE_WAIT);
}

bool loopback(const RawSocket& socket) {
  if (socket.family == AF_INET) return (ntohl(socket.peer[0]) >> 24) == 127;
  const auto* address = reinterpret_cast<const in6_addr*>(socket.peer);
  return IN6_IS_ADDR_LOOPBACK(address) ||
         (IN6_IS_ADDR_V4MAPPED(address) && (ntohl(socket.peer[3]) >> 24) == 127);
}

bool own_address(const RawSocket& socket) {
  return loopback(socket) || std::memcmp(socket.local, socket.peer, sizeof socket.peer) == 0;
}

}  // namespace

void SocketTable::meet(const RawSocket& socket) {
  if (socket.inode == 0) {  // no process holds it (not yet accepted, or already closed)
    pending_ = pending_ || waits_to_be_accepted(socket);
    return;
  }
  auto& entry = entries_[socket.inode];
  entry.last_pass = pass_;
  const bool connected_since = !entry.had_peer && socket.peer_port != 0;
  entry.had_peer = socket.peer_port != 0;
  if (!entry.known || connected_since) candidates_.push_back(socket);
}

void SocketTable::resolve(const Owners& owners, const Moment& moment) {
  if (!candidates_.empty()) {
    const auto by_inode = owners();
    for (const auto& socket : candidates_) {
      auto& entry = entries_[socket.inode];
      const auto owner = by_inode.find(socket.inode);
      if (owner != by_inode.end()) take(socket, owner->second, moment);
      entry.known = owner != by_inode.end() || ++entry.tries >= kTries;
      pending_ = pending_ || !entry.known;
    }
    candidates_.clear();
  }
  if (++pass_ % kForgetEvery == 0) forget_closed();
}

void SocketTable::take(const RawSocket& socket, pid_t pid, const Moment& moment) {
  if (listens(socket))
    remember_listener(socket, pid, moment);
  else if (socket.peer_port != 0)
    connections_.push_back({socket, evidence::now(), moment, pid, executable_of(pid)});
}

void SocketTable::remember_listener(const RawSocket& socket, pid_t pid, const Moment& moment) {
  listeners_.emplace(moment.launch, socket.protocol, socket.local_port);
  const bool udp = socket.protocol == IPPROTO_UDP;
  if (udp && socket.local_port >= kFirstEphemeral) return;
  met_listeners_.push_back(
      {moment, {socket.local_endpoint().address, socket.local_port, udp, pid, executable_of(pid)}});
}

void SocketTable::forget_closed() {
  for (auto entry = entries_.begin(); entry != entries_.end();)
    entry =
        entry->second.last_pass + kForgetEvery < pass_ ? entries_.erase(entry) : std::next(entry);
}

bool SocketTable::incoming(const Connection& connection) const {
  const auto& socket = connection.socket;
  // One that is still being opened is the subject's own doing, whatever listens on its port.
  return socket.protocol == IPPROTO_TCP && socket.state != TCP_SYN_SENT &&
         listeners_.count({connection.moment.launch, socket.protocol, socket.local_port}) != 0;
}

bool SocketTable::to_itself(const Connection& connection) const {
  const auto& socket = connection.socket;
  return own_address(socket) &&
         listeners_.count({connection.moment.launch, socket.protocol, socket.peer_port}) != 0;
}

}  // namespace telltale::catcher
