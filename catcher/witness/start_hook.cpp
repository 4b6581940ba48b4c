#include "catcher/witness/start_hook.hpp"

namespace telltale::catcher {

namespace {

class WitnessHook final : public StartHook {
 public:
  explicit WitnessHook(Handoff handoff) : handoff_(std::move(handoff)) {}
  [[nodiscard]] int in_child() override { return handoff_.install(); }
  [[nodiscard]] bool refuses_vsock() const override { return true; }
  void in_tool(pid_t) override {}  // the supervisor's thread learns the pid from the kernel

 private:
  Handoff handoff_;
};

}  // namespace

StartHooks witness_hooks(Witness& witness) {
  return [&witness]() -> Result<std::unique_ptr<StartHook>> {
    auto handoff = witness.handoff();
    if (!handoff) return pass_on(std::move(handoff.error()));
    return std::make_unique<WitnessHook>(std::move(*handoff));
  };
}

}  // namespace telltale::catcher
