// An enclosure of fork and exec, with what a test hangs into the child: a network namespace to
// enter, the witness's filter.
#pragma once

#include <functional>

#include "catcher/witness/witness.hpp"
#include "subject/enclosure.hpp"

namespace telltale::test {

class ForkingEnclosure final : public subject::Enclosure {
 public:
  int network = -1;                                     // entered before exec; -1: that of the test
  catcher::Witness* witness = nullptr;                  // its filter is put on every child
  std::function<Result<subject::Listener>()> listener;  // else on 127.0.0.1

  [[nodiscard]] std::string_view name() const override { return "forking"; }
  [[nodiscard]] evidence::Assurance assurance() const override { return {}; }
  [[nodiscard]] Result<std::unique_ptr<subject::Process>> start(subject::ProcessPlan plan) override;
  [[nodiscard]] Result<subject::FileDescriptor> socket(int domain, int type) override;
  [[nodiscard]] Result<subject::Listener> listen(std::uint16_t port) override;
};

// A listening socket on 127.0.0.1, non-blocking.
[[nodiscard]] subject::Listener listen_on_loopback();

}  // namespace telltale::test
