#include "sweep/survey.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "sweep/address.hpp"

namespace telltale::sweep {

namespace {

// Questions for one endpoint, each URL once.
class Batch {
 public:
  explicit Batch(std::string address) : address_(std::move(address)) {}

  void add(const Question& question, bool confirm_absent) {
    auto url = address_ + question.path;
    if (places_.emplace(url, requests_.size()).second)
      requests_.push_back({std::move(url), question.body_limit, confirm_absent, question.presence});
  }
  void ask(Fetcher& fetcher) { responses_ = fetcher.fetch(requests_); }
  [[nodiscard]] const Response& response(const Question& question) const {
    return responses_[places_.at(address_ + question.path)];
  }

 private:
  std::string address_;
  std::vector<Request> requests_;
  std::map<std::string, std::size_t> places_;
  std::vector<Response> responses_;
};

int weight(Answer answer) {
  switch (answer) {
    case Answer::fetchable:
      return 0;
    case Answer::absent:
      return 1;
    case Answer::refused:
      return 2;
    case Answer::unknown:
      return 3;
  }
  return 3;
}

// What one endpoint said of one module.
struct Round {
  Answer answer = Answer::unknown;
  std::string reason;
};

class EndpointSurvey {
 public:
  EndpointSurvey(const Registry& registry, const Endpoint& endpoint, Fetcher& fetcher)
      : registry_(registry), endpoint_(endpoint), fetcher_(fetcher) {}

  // Asks of each and adds what came back; returns those that the next endpoint is asked for.
  std::vector<ModuleAnswer*> ask(const std::vector<ModuleAnswer*>& pending, bool first) {
    Batch existence(endpoint_.address), confirmation(endpoint_.address);
    for (const auto* one : pending) {
      existence.add(registry_.existence(one->module), true);
      existence.add(registry_.catalogue(one->module), false);
    }
    existence.ask(fetcher_);
    std::vector<Round> rounds;
    for (auto* one : pending) {
      rounds.push_back(record(*one, registry_.existence(one->module), existence));
      if (rounds.back().answer != Answer::fetchable) continue;
      for (const auto& question : registry_.confirmations(one->module))
        confirmation.add(question, true);
    }
    confirmation.ask(fetcher_);
    std::vector<ModuleAnswer*> left;
    for (std::size_t i = 0; i < pending.size(); ++i) {
      conclude(*pending[i], rounds[i], existence, confirmation, first);
      if (goes_on(rounds[i].answer)) left.push_back(pending[i]);
    }
    return left;
  }

 private:
  Round record(ModuleAnswer& one, const Question& question, const Batch& batch) {
    auto response = batch.response(question);
    auto judged = registry_.judge(question, one.module, response);
    one.flapping = one.flapping || response.flapping;
    response.body.clear();
    Round round{judged.answer, judged.reason};
    one.exchanges.push_back({question.what, std::move(response), std::move(judged)});
    return round;
  }

  void conclude(ModuleAnswer& one, Round& round, const Batch& existence, const Batch& confirmation,
                bool first) {
    if (round.answer == Answer::fetchable) {
      for (const auto& question : registry_.confirmations(one.module)) {
        auto confirmed = record(one, question, confirmation);
        if (round.answer != Answer::fetchable || confirmed.answer == Answer::fetchable) continue;
        round = {confirmed.answer, fmt::format("its .{}: {}", question.what, confirmed.reason)};
      }
    }
    const auto catalogue = registry_.catalogue(one.module);
    record(one, catalogue, existence);
    const bool served = round.answer == Answer::fetchable;
    if (served || first || weight(round.answer) > weight(one.answer)) {
      one.answer = round.answer;
      one.reason =
          served ? "" : fmt::format("{} answered {}", host_of(endpoint_.address), round.reason);
      one.publication =
          registry_.publication(one.module, round.answer, existence.response(catalogue));
    }
  }

  [[nodiscard]] bool goes_on(Answer answer) const {
    if (answer == Answer::fetchable) return false;
    return endpoint_.next_on_any_error || answer == Answer::absent;
  }

  const Registry& registry_;
  const Endpoint& endpoint_;
  Fetcher& fetcher_;
};

}  // namespace

ModuleAnswer unanswered(const Module& module) {
  ModuleAnswer one;
  one.module = module;
  return one;
}

std::vector<ModuleAnswer> survey(const std::vector<Module>& modules, const Registry& registry,
                                 const std::vector<Endpoint>& endpoints, Fetcher& fetcher) {
  std::vector<ModuleAnswer> answers;
  answers.reserve(modules.size());
  for (const auto& module : modules) answers.push_back(unanswered(module));
  std::vector<ModuleAnswer*> pending;
  for (auto& one : answers)
    if (one.module.asked()) pending.push_back(&one);
  for (const auto& endpoint : endpoints)
    pending =
        EndpointSurvey(registry, endpoint, fetcher).ask(pending, &endpoint == &endpoints.front());
  return answers;
}

}  // namespace telltale::sweep
