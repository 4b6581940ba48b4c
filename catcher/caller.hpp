// What the control caller can do. It is a program of its own (tools/telltale-caller.cpp) because a
// control must go the way of the subject: a process with the subject's environment and user.
//
//   telltale-caller fetch URL                   one GET by libcurl, which obeys the proxy
//   variables;
//                                               prints "fetched STATUS" or "failed REASON"
//   telltale-caller connect ADDRESS PORT N MS   connects, prints "held LOCAL-PORT" and waits for
//   the
//                                               peer to close; then N connections one after
//                                               another, each held MS milliseconds, and prints
//                                               their local ports
//   telltale-caller tcp | udp | udp-connect | ping | unix ...
//                                               one act on the network (stimuli.hpp): prints
//                                               "connected", "refused" or "sent" with the local
//                                               port, or "failed REASON"
//   telltale-caller ask | say | hello ...       something is said, and an answer waited for
//                                               (conversation_stimuli.hpp)
//   telltale-caller enter-network               setns(2) to the network namespace that standard
//                                               input is: prints "entered" or "failed REASON"
#pragma once

namespace telltale::catcher {

// Exit status: 0 done, 1 the act failed (said on stdout), 2 bad arguments.
[[nodiscard]] int run_caller(int argc, char** argv);

}  // namespace telltale::catcher
