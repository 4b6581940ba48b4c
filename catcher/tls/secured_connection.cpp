#include "catcher/tls/secured_connection.hpp"

#include <algorithm>

namespace telltale::catcher {

SecuredConnection::SecuredConnection(TlsTerminator& terminator, const std::string& dialled,
                                     wire::Bytes hello)
    : session_(terminator, dialled), hello_(read_first_flight(hello)) {
  receive(hello);
}

std::vector<std::uint8_t> SecuredConnection::receive(wire::Bytes ciphertext) {
  session_.receive(ciphertext);
  auto more = session_.take_plain();
  const auto room = std::min(more.size(), kPlain - plain_.size());
  plain_.insert(plain_.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(room));
  return more;
}

FirstFlight SecuredConnection::flight() const {
  if (!plain_.empty()) {
    auto flight = read_inside_tls(plain_, hello_);
    if (session_.state() != TlsState::open) flight.complete = true;
    return flight;
  }
  auto flight = hello_;
  flight.complete = true;
  switch (session_.state()) {
    case TlsState::refused:
      flight.tls = TlsPayload::refused;
      flight.tls_reason = session_.reason();
      flight.said += "; refused the run's CA (pinned or own store): " + session_.reason();
      break;
    case TlsState::failed:
      flight.tls_reason = session_.reason();
      flight.said += "; not read: " + session_.reason();
      break;
    case TlsState::open:
      flight.tls = TlsPayload::read;
      flight.said += "; it took the run's CA and waits";
      [[fallthrough]];
    default:
      flight.complete = false;
  }
  return flight;
}

}  // namespace telltale::catcher
