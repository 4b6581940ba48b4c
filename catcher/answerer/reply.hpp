// What a first flight is answered: by the table, else by the mode.
#pragma once

#include <string>

#include "catcher/answerer.hpp"
#include "catcher/first_flight.hpp"

namespace telltale::catcher {

struct Reply {
  std::string bytes;  // empty: the connection is closed, or held
  std::string by;     // Sighting::answered_by
  int status = 0;
};

// Where the caller believes it is: the address that it dialled, by its name where that is known.
struct DialledServer {
  std::string host;
  std::uint16_t port = 0;
};

// Over HTTP/2 one request a connection is played, with a body of at most kHttp2Body bytes.
[[nodiscard]] Reply reply_to(const FirstFlight& flight, const DialledServer& server,
                             const AnswererPlan& plan);
// The table has answers of that server: it is worth reading what is asked.
[[nodiscard]] bool plays_for(const DialledServer& server, const AnswererPlan& plan);

}  // namespace telltale::catcher
