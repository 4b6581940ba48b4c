#include "sweep/controls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <random>

#include "sweep/address.hpp"

namespace telltale::sweep {

namespace {

constexpr std::size_t kMostCandidates = 5;  // then the well-known one
constexpr const char* kWhen[] = {"before", "after"};
constexpr const char* kWhat[] = {"missing module", "missing version", "known-good module"};

// What an answer to something that is not there means, for a reader who has never seen one.
std::string meaning(const Response& response) {
  switch (answer_of(response)) {
    case Answer::absent:
      return {};
    case Answer::fetchable:
      return "it serves what cannot exist, so its \"served\" says nothing about the others";
    case Answer::refused:
      return "it refuses instead of saying \"not there\", so a refusal cannot be told from a "
             "module "
             "that is missing";
    case Answer::unknown:
      return "it fails instead of saying \"not there\", so a missing module cannot be told from a "
             "failure";
  }
  return {};
}

}  // namespace

std::string random_nonce() {
  constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device device;  // getrandom(2) with libstdc++ on Linux
  std::uniform_int_distribution<std::size_t> index(0, kAlphabet.size() - 1);
  std::string nonce;
  while (nonce.size() < 26) nonce += kAlphabet[index(device)];
  return nonce;
}

Controls::Controls(const Registry& registry, const Endpoint& endpoint,
                   std::vector<Module> candidates, Fetcher& fetcher)
    : registry_(registry),
      endpoint_(endpoint),
      candidates_(std::move(candidates)),
      fetcher_(fetcher),
      host_(host_of(endpoint.address)) {
  if (candidates_.size() > kMostCandidates) candidates_.resize(kMostCandidates);
  candidates_.push_back(registry_.well_known());
}

std::string Controls::control_name(const std::string& what, const std::string& when) const {
  return fmt::format("{} at {}, {}", what, host_, when);
}

std::vector<std::string> Controls::required() const {
  std::vector<std::string> names;
  for (const auto* when : kWhen)
    for (const auto* what : kWhat) names.push_back(control_name(what, when));
  return names;
}

std::vector<Response> Controls::ask(const std::vector<Module>& modules) {
  std::vector<Request> requests;
  for (const auto& module : modules) {
    const auto question = registry_.existence(module);
    requests.push_back({endpoint_.address + question.path, question.body_limit, false});
  }
  auto responses = fetcher_.fetch(requests);
  for (const auto& response : responses) {
    silent_ = silent_ && response.status == 0;
    if (response.status == 0) silence_ = response.failure;
  }
  return responses;
}

bool Controls::served(const Module& module, const Response& response) const {
  return registry_.judge(registry_.existence(module), module, response).answer == Answer::fetchable;
}

void Controls::negative(const std::string& what, const std::string& when, const Module& module,
                        const Response& response) {
  evidence::Control control;
  control.name = control_name(what, when);
  control.observer = "registry client";
  control.polarity = evidence::Polarity::negative;
  control.expected = fmt::format("404 or 410 for {}", module.label());
  control.held = answer_of(response) == Answer::absent;
  control.observed = describe(response);
  if (const auto means = meaning(response); !means.empty()) control.observed += ": " + means;
  controls_.push_back(std::move(control));
}

Module Controls::try_the_others(Response& response) {
  for (std::size_t i = 1; i < candidates_.size(); ++i) {
    response = ask({candidates_[i]}).front();
    if (served(candidates_[i], response)) return candidates_[i];
  }
  return candidates_.back();
}

void Controls::positive(const std::string& when, const Module& module, const Response& response) {
  const auto judged = registry_.judge(registry_.existence(module), module, response);
  evidence::Control control;
  control.name = control_name("known-good module", when);
  control.observer = "registry client";
  control.polarity = evidence::Polarity::positive;
  control.expected = good_ ? fmt::format("200 for {}", module.label())
                           : fmt::format("200 for one of {} modules", candidates_.size());
  control.held = judged.answer == Answer::fetchable;
  control.observed = control.held ? "200, with the version that was asked for"
                                  : judged.reason +
                                        ": it does not serve what should be there, so its \"not "
                                        "there\" says nothing about the others";
  controls_.push_back(std::move(control));
}

void Controls::run(const std::string& when) {
  const auto nowhere = registry_.missing_module(random_nonce());
  auto real = good_.value_or(candidates_.front());
  auto version = registry_.missing_version(real, random_nonce());
  auto responses = ask({nowhere, real, version});
  if (!good_ && !silent_ && !served(real, responses[1])) {
    // A missing version is only worth something of a module that is there.
    real = try_the_others(responses[1]);
    version = registry_.missing_version(real, random_nonce());
    responses[2] = ask({version}).front();
  }
  if (!good_ && served(real, responses[1])) good_ = real;
  negative("missing module", when, nowhere, responses[0]);
  negative("missing version", when, version, responses[2]);
  positive(when, real, responses[1]);
}

}  // namespace telltale::sweep
