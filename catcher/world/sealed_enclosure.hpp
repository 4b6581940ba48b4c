// The subject's world as an Enclosure: processes start inside a World (world.hpp), doors are driven
// from inside its network, and the tool's listeners are at the world's address.
//
// Theory of operation. The tool forks a process that enters the PID namespace and forks once more
// (a PID namespace is taken on by children only), as a sibling: the subject is a child of the tool,
// which waits for it and signals it as ever. That child keeps the tool's terminal, session and
// process group as the plan says, enters network, mounts and at last the nested user namespace,
// from where nothing outside can be named; AF_VSOCK is refused (vsock_filter.hpp; by the witness where there is one). It is not
// dumpable meanwhile: another process of the subject cannot trace it before its exec.
#pragma once

#include <functional>
#include <memory>

#include "catcher/world/world.hpp"
#include "subject/enclosure.hpp"

namespace telltale::catcher {

// What an observer does to one process that starts, where all else is done (a witness installs its
// filter). Made before the fork; dropped when the start is over.
class StartHook {
 public:
  virtual ~StartHook() = default;
  // In the child, right before the exec, as the subject's user: system calls only. 0, or an errno.
  [[nodiscard]] virtual int in_child() = 0;
  // In the tool, at the same time; `process` is the child, as the tool sees it. It may have failed
  // before it came to in_child: what waits for it must notice its end.
  virtual void in_tool(pid_t process) = 0;
  // Its filter refuses AF_VSOCK in place of vsock_filter.hpp, whose plain error would win over a
  // notification (seccomp(2)): the refusal would not be seen.
  [[nodiscard]] virtual bool refuses_vsock() const { return false; }
};
using StartHooks = std::function<Result<std::unique_ptr<StartHook>>()>;

class SealedEnclosure : public subject::Enclosure {
 public:
  [[nodiscard]] virtual World& world() = 0;
  // One a start from now on; empty: none. Not while a start is under way.
  virtual void set_hooks(StartHooks hooks) = 0;
};

// Makes the world too: World::make says when and where to call it. Also makes the calling process a
// child subreaper.
[[nodiscard]] Result<std::unique_ptr<SealedEnclosure>> make_sealed_enclosure(const WorldPlan& plan);

}  // namespace telltale::catcher
