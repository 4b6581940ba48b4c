// TLS on a scripted connection, with a self-signed certificate made for the test.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "support/scripted_server.hpp"

namespace telltale::test {

class TlsConnection {
 public:
  virtual ~TlsConnection() = default;
  [[nodiscard]] virtual std::string server_name() const = 0;  // as the client sent it; or empty
  [[nodiscard]] virtual std::string until(std::string_view end) = 0;  // empty: the client has gone
  virtual void send(std::string_view bytes) = 0;
  virtual void close_notify() = 0;
};

// Shakes hands on each connection, then runs the script.
[[nodiscard]] ScriptedServer::Script over_tls(std::function<void(TlsConnection&)> script);

// A key and a certificate for 127.0.0.1 that it signs itself, good for an hour; PEM.
[[nodiscard]] std::string loopback_certificate();

}  // namespace telltale::test
