// The few requests of rtnetlink(7) that a network needs, over libmnl.
//
// Each is sent and its acknowledgement read. They act on the network namespace in which the socket
// was opened.
#pragma once

#include <linux/rtnetlink.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "evidence/result.hpp"

struct mnl_socket;

namespace telltale::catcher {

class Netlink {
 public:
  [[nodiscard]] static Result<Netlink> open();

  // A veth pair: `near` here, `far` in the network namespace of that descriptor.
  [[nodiscard]] Result<> add_pair(const std::string& near, const std::string& near_hardware,
                                  const std::string& far, const std::string& far_hardware,
                                  int far_network);
  [[nodiscard]] Result<> set_up(const std::string& link);
  // IPv4 or IPv6, by its text; without duplicate address detection.
  [[nodiscard]] Result<> add_address(const std::string& link, const std::string& address,
                                     unsigned prefix);
  // A permanent neighbour: nobody ever asks for it on the link.
  [[nodiscard]] Result<> add_neighbour(const std::string& link, const std::string& address,
                                       const std::string& hardware);
  // 0.0.0.0/0 or ::/0.
  [[nodiscard]] Result<> add_default_route(const std::string& link, const std::string& gateway);
  // Every address of the family is this machine's own (route type local).
  [[nodiscard]] Result<> add_local_default(const std::string& link, int family);

 private:
  struct Close {
    void operator()(mnl_socket* socket) const;
  };
  using Socket = std::unique_ptr<mnl_socket, Close>;
  using Fill = std::function<void(nlmsghdr*)>;
  explicit Netlink(Socket socket) : socket_(std::move(socket)) {}
  [[nodiscard]] Result<> ask(const std::string& what, int type, int flags, const Fill& fill);

  Socket socket_;
};

}  // namespace telltale::catcher
