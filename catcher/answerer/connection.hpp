// One TCP connection of the subject, from its accept to its end.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catcher/peer_owner.hpp"
#include "catcher/scene.hpp"
#include "catcher/sent/sent_values.hpp"
#include "catcher/socket_diagnostics.hpp"
#include "catcher/tls/secured_connection.hpp"
#include "evidence/instant.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

using AnswerClock = std::chrono::steady_clock;

enum class AnswerStage {
  reading,    // its first flight
  answering,  // the rest of a long answer is sent as it is taken
  leaving,    // answered and shut; what still comes is read and let go
  held        // until the caller closes
};

struct CaughtConnection {
  subject::FileDescriptor socket;
  Endpoint peer, here, dialled;  // the two ends, and where the caller wanted to go
  evidence::Instant at;
  Moment moment;
  PeerProgram program;

  AnswerStage stage = AnswerStage::reading;
  AnswerClock::time_point last_moment{};  // when the stage is over, whatever comes
  AnswerClock::time_point due{};          // when it is looked at again; its place in the queue
  std::vector<std::uint8_t> flight{};
  std::uint64_t payload = 0;
  bool settings_sent = false;
  SentStream sent{};
  std::string answer{};                          // what is still to be sent of it
  std::unique_ptr<SecuredConnection> secured{};  // TLS that is read

  [[nodiscard]] FirstFlight first_flight() const {
    return secured ? secured->flight() : read_first_flight(flight);
  }
  // What was said, without TLS where that is read.
  [[nodiscard]] wire::Bytes said() const {
    return secured ? secured->plain() : wire::Bytes(flight);
  }
  // What is to be sent so that the caller hears `bytes`.
  [[nodiscard]] std::string in_its_terms(std::string bytes) const {
    if (!secured) return bytes;
    secured->say(bytes);
    return secured->take_output();
  }
};

}  // namespace telltale::catcher
