// The HTTP door: over TCP (http.cpp) and over a unix socket (unix_socket.cpp).
#pragma once

#include <optional>
#include <string>

#include "subject/doors/door.hpp"
#include "subject/wire/endpoint.hpp"
#include "subject/wire/http_exchange.hpp"

namespace telltale::subject {

class HttpDoor final : public Door {
 public:
  // socket_path: HTTP is spoken over this unix socket, and the URL is only a path.
  HttpDoor(HttpCall call, std::optional<std::string> socket_path, const DoorContext& context);

  Result<> prepare(const Variables& variables) override;
  Result<Answer> call(Milliseconds limit) override;
  [[nodiscard]] Peer peer() const override { return exchange_.peer(); }

 private:
  struct Place {
    Endpoint endpoint;
    bool tls = false;
    std::string authority;
    std::string target;
  };
  [[nodiscard]] Result<Place> place(const Variables& variables) const;
  [[nodiscard]] Result<std::optional<std::string>> body(const Variables& variables) const;

  HttpCall call_;
  std::optional<std::string> socket_path_;
  HttpExchange exchange_;
  std::string request_;
};

// Name and expanded value of each; an unknown variable is Fault::input.
[[nodiscard]] Result<Pairs> expand(const Pairs& written, const Variables& variables);

}  // namespace telltale::subject
