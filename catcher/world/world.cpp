#include "catcher/world/world.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "catcher/world/in_namespace.hpp"
#include "catcher/world/init.hpp"
#include "catcher/world/mounts.hpp"
#include "catcher/world/network.hpp"
#include "catcher/world/redirected_sockets.hpp"
#include "catcher/world/redirection.hpp"
#include "subject/process/children.hpp"

namespace telltale::catcher {

namespace {

class SealedWorld final : public World {
 public:
  SealedWorld() = default;
  SealedWorld(const SealedWorld&) = delete;
  SealedWorld& operator=(const SealedWorld&) = delete;
  ~SealedWorld() override { end_init(init_); }

  [[nodiscard]] Result<> build(const WorldPlan& plan);

  [[nodiscard]] Result<> in_world(const Work& work) override {
    return in_network(network_.world.get(), "the world's network", work);
  }
  [[nodiscard]] Result<> in_subject(const Work& work) override {
    return in_network(network_.subject.get(), "the subject's network", work);
  }
  [[nodiscard]] Result<> in_mounts(const Work& work) override {
    return catcher::in_mounts(init_.mounts.get(), work);
  }
  [[nodiscard]] Result<subject::FileDescriptor> world_socket(int domain, int type,
                                                             int protocol) override {
    return socket_in(network_.world.get(), domain, type, protocol);
  }
  [[nodiscard]] Result<subject::FileDescriptor> subject_socket(int domain, int type,
                                                               int protocol) override {
    return socket_in(network_.subject.get(), domain, type, protocol);
  }
  [[nodiscard]] const RedirectedSockets& redirected() const override { return redirected_; }
  [[nodiscard]] int world_network() const override { return network_.world.get(); }
  [[nodiscard]] int subject_network() const override { return network_.subject.get(); }
  [[nodiscard]] int mounts() const override { return init_.mounts.get(); }
  [[nodiscard]] int machine_mounts() const override {
    return init_.machine_mounts.valid() ? init_.machine_mounts.get() : init_.mounts.get();
  }
  [[nodiscard]] int root() const override { return init_.root.get(); }
  [[nodiscard]] const std::vector<OverlaidFolder>& overlaid() const override {
    return init_.overlaid;
  }
  [[nodiscard]] const std::vector<std::string>& uncovered() const override {
    return init_.uncovered;
  }
  [[nodiscard]] int processes() const override { return init_.processes.get(); }
  [[nodiscard]] int messages() const override { return init_.messages.get(); }
  [[nodiscard]] int nested_users() const override { return init_.users.get(); }
  [[nodiscard]] pid_t init() const override { return init_.pid; }
  [[nodiscard]] bool process_limit_set() const override { return init_.process_limit_set; }

 private:
  [[nodiscard]] Result<> build_network();
  static Result<subject::FileDescriptor> socket_in(int network, int domain, int type, int protocol);

  Network network_;
  RedirectedSockets redirected_;
  Init init_;
};

// On a thread of its own, which ends in W.
Result<> SealedWorld::build_network() {
  auto network = make_network();
  if (!network) return pass_on(std::move(network.error()));
  network_ = std::move(*network);
  RedirectedPorts ports;
  auto sockets = open_redirected_sockets(ports);
  if (!sockets) return pass_on(std::move(sockets.error()));
  redirected_ = std::move(*sockets);
  return redirect(ports);
}

Result<> SealedWorld::build(const WorldPlan& plan) {
  if (auto gained = gain_namespaces(plan.ids); !gained) return gained;
  auto mounts = plan_mounts(plan);
  if (!mounts) return pass_on(std::move(mounts.error()));
  if (auto joined = on_thread([&] { return build_network(); }); !joined) return joined;
  auto init = start_init(network_.subject.get(), *mounts, plan);
  if (!init) return pass_on(std::move(init.error()));
  init_ = std::move(*init);
  subject::add_reaper(init_.pid);
  return {};
}

Result<subject::FileDescriptor> SealedWorld::socket_in(int network, int domain, int type,
                                                       int protocol) {
  subject::FileDescriptor made;
  auto worked = in_network(network, "a network namespace", [&]() -> Result<> {
    made = subject::FileDescriptor(::socket(domain, type | SOCK_CLOEXEC, protocol));
    if (made.valid()) return {};
    return fail(Fault::instrument,
                fmt::format("no socket in the sealed world: {}", strerror(errno)),
                "raise the limit of open files (ulimit -n)");
  });
  if (!worked) return pass_on(std::move(worked.error()));
  return made;
}

}  // namespace

Result<std::unique_ptr<World>> World::make(const WorldPlan& plan) {
  auto world = std::make_unique<SealedWorld>();
  if (auto built = world->build(plan); !built) return pass_on(std::move(built.error()));
  return world;
}

}  // namespace telltale::catcher
