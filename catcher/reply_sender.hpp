// Answers to redirected packets: each from the address and port that its question was sent to.
//
// A socket that is bound to that port gives the address with the packet (IP_PKTINFO). Behind a
// redirection the port is another one, so a transparent socket bound to the asked address sends;
// the kernel redirects before it looks for such a socket, so it receives nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catcher/serving.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

class ReplySender {
 public:
  // On a thread in the world's network namespace. An answer that cannot be sent is lost, as packets
  // are.
  void send(int socket, const std::vector<std::uint8_t>& answer, const Datagram& question);

 private:
  [[nodiscard]] int socket_for(const Datagram& question, const Endpoint& asked);

  std::map<std::string, subject::FileDescriptor> sockets_;  // by the address that was asked
};

}  // namespace telltale::catcher
