// An enclosure of this machine's own sockets, for tests that start nothing.
#pragma once

#include <sys/socket.h>

#include "subject/enclosure.hpp"

namespace telltale::test {

class PlainSockets final : public subject::Enclosure {
 public:
  [[nodiscard]] std::string_view name() const override { return "sockets"; }
  [[nodiscard]] evidence::Assurance assurance() const override { return {}; }
  [[nodiscard]] Result<std::unique_ptr<subject::Process>> start(subject::ProcessPlan) override {
    return fail(Fault::instrument, "this enclosure starts nothing");
  }
  [[nodiscard]] Result<subject::FileDescriptor> socket(int domain, int type) override {
    ++sockets;
    return subject::FileDescriptor(::socket(domain, type, 0));
  }
  [[nodiscard]] Result<subject::Listener> listen(std::uint16_t) override {
    return fail(Fault::instrument, "this enclosure listens nowhere");
  }

  int sockets = 0;  // made so far
};

}  // namespace telltale::test
