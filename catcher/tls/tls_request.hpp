// The act of the control caller that proves that TLS is read (tls_control.hpp).
//
//   request ADDRESS PORT NAME PATH 1.1|2   asks for https://NAME/PATH there, by that version of
//                                          HTTP: "said", once TLS was agreed on
//
// It trusts what the variable CURL_CA_BUNDLE names, as the program curl does, and by default what
// the system does.
#pragma once

#include <optional>

#include "catcher/act.hpp"

namespace telltale::catcher {

// nullopt: `words` name another act.
[[nodiscard]] std::optional<Told> request_by_tls(const Words& words);

}  // namespace telltale::catcher
