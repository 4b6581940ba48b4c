// Work inside another network or mount namespace.
//
// Theory of operation. A network namespace belongs to a thread (setns(2)), so the work gets a
// thread of its own, which enters it and ends: no thread of the tool ever has to come back, which
// needs rights that an ordinary user's tool does not have over the machine's own network.
#pragma once

#include <functional>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

// On a new thread, every signal blocked; waits for it.
[[nodiscard]] Result<> on_thread(const std::function<Result<>()>& work);

// The calling thread, for good. `name` is for the error.
[[nodiscard]] Result<> enter_network(int network, const std::string& name);

// `network` is a descriptor of a network namespace. on_thread() and enter_network().
[[nodiscard]] Result<> in_network(int network, const std::string& name,
                                  const std::function<Result<>()>& work);

// `mounts` is a descriptor of a mount namespace; the thread's root and folder are its root.
[[nodiscard]] Result<> in_mounts(int mounts, const std::function<Result<>()>& work);

}  // namespace telltale::catcher
