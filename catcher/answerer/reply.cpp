#include "catcher/answerer/reply.hpp"

#include <fmt/core.h>

#include "catcher/request_target.hpp"

namespace telltale::catcher {

namespace {

// By the server that was dialled; where that is only an address, by the one that the request names.
const PlayedAnswer* played(const FirstFlight& flight, const DialledServer& server,
                           AnswerTable& answers) {
  const auto& request = flight.request;
  if (request.target_cut) return nullptr;
  const auto target = path_and_query(request.target);
  const auto* answer = answers.ask({server.host, server.port, request.method, target});
  if (answer != nullptr || request.host.empty()) return answer;
  auto named = destination_of("CONNECT", request.host).host;
  return answers.ask({std::move(named), server.port, request.method, target});
}

Reply played_reply(const FirstFlight& flight, const DialledServer& server, AnswerTable& answers) {
  if (!flight.complete) return {};  // half a target could be that of another answer
  if (flight.http2_preface && flight.http2_streams.size() != 1) return {};
  const auto* answer = played(flight, server, answers);
  if (answer == nullptr) return {};
  const auto& method = flight.request.method;
  return {flight.http2_preface ? http2_message(*answer, flight.http2_streams.front(), method)
                               : http1_message(*answer, method),
          answer->source, answer->status};
}

Reply mode_reply(const FirstFlight& flight, AnswerMode mode) {
  Reply reply;
  reply.bytes =
      flight.http2_preface ? http2_answer(mode, flight.http2_streams) : http1_answer(mode);
  if (reply.bytes.empty()) return reply;
  reply.by = fmt::format("--answer {}", word_of(mode));
  reply.status = mode == AnswerMode::http_200 ? 200 : 500;
  return reply;
}

}  // namespace

Reply reply_to(const FirstFlight& flight, const DialledServer& server, const AnswererPlan& plan) {
  if (flight.request.method.empty()) return {};
  if (plan.answers != nullptr)
    if (auto reply = played_reply(flight, server, *plan.answers); !reply.bytes.empty())
      return reply;
  return mode_reply(flight, plan.mode);
}

bool plays_for(const DialledServer& server, const AnswererPlan& plan) {
  return plan.answers != nullptr && plan.answers->knows(server.host, server.port);
}

}  // namespace telltale::catcher
