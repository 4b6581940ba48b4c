// What the control caller can do. It is a program of its own (tools/telltale-caller.cpp) because a
// control must go the way of the subject: a process with the subject's environment and user.
//
//   telltale-caller ACT                  does it; prints its text, after "failed " when it failed
//   telltale-caller round ACT [-- ACT]   all of them at the same time, each on a thread of its own;
//                                        prints "NUMBER done TEXT" or "NUMBER failed REASON" of
//                                        each as it comes; numbers from 0, in the order of words
//
//   hold ADDRESS PORT              connects, "held LOCAL-PORT", and waits for the peer to close
//   burst ADDRESS PORT N MS        N connections, one begun each millisecond, each held MS of them:
//                                  their local ports
//   enter-network                  setns(2) to the network namespace that standard input is:
//                                  "entered"
//   tcp | udp | udp-connect | ping | unix ...   one act on the network (stimuli.hpp)
//   ask | say | hello | fetch ...  something is said, and an answer waited for
//                                  (conversation_stimuli.hpp)
//   request ...                    a request inside TLS (tls/tls_request.hpp)
#pragma once

namespace telltale::catcher {

// Exit status: 0 done, 1 an act failed, 2 bad arguments.
[[nodiscard]] int run_caller(int argc, char** argv);

}  // namespace telltale::catcher
