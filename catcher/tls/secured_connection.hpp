// One connection of the subject whose first flight was a ClientHello, while TLS is read: what was
// said inside, or why that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catcher/first_flight.hpp"
#include "catcher/tls/session.hpp"

namespace telltale::catcher {

class SecuredConnection {
 public:
  static constexpr std::size_t kPlain = 8 * 1024;  // bytes that are kept of what was said

  // `hello` is the connection from its start, `dialled` a name or a numeric address.
  SecuredConnection(TlsTerminator& terminator, const std::string& dialled, wire::Bytes hello);

  // All that was said in it; the first kPlain bytes of the whole are kept.
  std::vector<std::uint8_t> receive(wire::Bytes ciphertext);
  void peer_closed() { session_.peer_closed(); }
  // For the peer: what the handshake needs, and what was said to it.
  [[nodiscard]] std::string take_output() { return session_.take_output(); }
  void say(std::string_view plain) { session_.send(plain); }
  void say_goodbye() { session_.close(); }

  // Complete when nothing more has to be waited for.
  [[nodiscard]] FirstFlight flight() const;
  [[nodiscard]] wire::Bytes plain() const { return plain_; }

 private:
  TlsSession session_;
  FirstFlight hello_;
  std::vector<std::uint8_t> plain_;
};

}  // namespace telltale::catcher
