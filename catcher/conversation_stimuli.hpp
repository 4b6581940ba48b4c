// Acts of the control caller that say something, and wait for what comes back.
//
//   ask udp|tcp ADDRESS PORT NAME TYPE   a DNS question: "answered CODE", done with CODE 0 or 3
//   say tcp|udp ADDRESS PORT TEXT        "said"; over TCP once the peer has closed
//   hello ADDRESS PORT NAME              a TLS hello for NAME: "said", once the peer has closed
//   fetch URL                            fetch.hpp
#pragma once

#include <optional>
#include <string>

#include "catcher/act.hpp"

namespace telltale::catcher {

[[nodiscard]] std::string conversation_usage();

// nullopt: `words` name no act of this file.
[[nodiscard]] std::optional<Told> converse(const Words& words);

}  // namespace telltale::catcher
