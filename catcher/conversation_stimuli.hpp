// Acts of the control caller that say something, and wait for what comes back.
#pragma once

#include <string>
#include <vector>

namespace telltale::catcher {

//   ask udp|tcp ADDRESS PORT NAME TYPE   a DNS question; prints "answered CODE", done with CODE 0
//   say tcp|udp ADDRESS PORT TEXT        prints "said"; over TCP once the peer has closed
//   hello ADDRESS PORT NAME              a TLS hello for NAME; prints "said" once one was sent
[[nodiscard]] std::string conversation_usage();

// Exit status as run_caller's (caller.hpp); -1: `words` name no act of this file.
[[nodiscard]] int run_conversation(const std::vector<std::string>& words);

}  // namespace telltale::catcher
