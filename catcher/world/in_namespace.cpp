#include "catcher/world/in_namespace.hpp"

#include <sched.h>

#include <cerrno>
#include <exception>
#include <thread>

#include "catcher/world/remedy.hpp"
#include "subject/quiet_thread.hpp"

namespace telltale::catcher {

Result<> on_thread(const std::function<Result<>()>& work) {
  Result<> result;
  std::exception_ptr thrown;
  std::thread thread = subject::quiet_thread([&] {
    try {
      result = work();
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  thread.join();
  if (thrown) std::rethrow_exception(thrown);
  return result;
}

Result<> enter_network(int network, const std::string& name) {
  if (setns(network, CLONE_NEWNET) == 0) return {};
  return tl::make_unexpected(namespace_refused("entering " + name, errno));
}

Result<> in_network(int network, const std::string& name, const std::function<Result<>()>& work) {
  return on_thread([&] { return enter_network(network, name).and_then(work); });
}

Result<> in_mounts(int mounts, const std::function<Result<>()>& work) {
  return on_thread([&]() -> Result<> {
    // Threads share their root and folder until one is told not to; only then may it enter.
    if (unshare(CLONE_FS) == 0 && setns(mounts, CLONE_NEWNS) == 0) return work();
    return tl::make_unexpected(namespace_refused("entering the subject's mounts", errno));
  });
}

}  // namespace telltale::catcher
