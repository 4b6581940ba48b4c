#include "catcher/tls/tls_control.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "catcher/nonce.hpp"

namespace telltale::catcher {

std::set<std::string> TlsControl::ask(ControlRound& round, const std::vector<Endpoint>& probes) {
  requests_.clear();
  std::set<std::string> words;
  for (const std::string version : {"1.1", "2"}) {
    const auto& [address, port] = version == "2" ? probes.back() : probes.front();
    auto word = make_nonce();
    words.insert(word);
    const auto act = round.add(
        {"request", address, std::to_string(port), make_nonce() + ".example", word, version});
    requests_.push_back({act, version, std::move(word)});
  }
  return words;
}

evidence::Control TlsControl::check(const std::string& when, const ControlRound& round) const {
  std::vector<std::string> wrong;
  for (const auto& [act, version, word] : requests_)
    if (seen_.count(word) == 0)
      wrong.push_back(
          fmt::format("HTTP/{}: not read; the caller said \"{}\"", version, round.said(act).text));
  return {"TLS reading, " + when,
          "answerer",
          evidence::Polarity::positive,
          "a caller with the subject's environment asks inside TLS for a word that nobody knows, "
          "by HTTP/1.1 and by HTTP/2; both are read",
          wrong.empty() ? "both read" : fmt::format("{}", fmt::join(wrong, "; ")),
          wrong.empty() && !requests_.empty()};
}

}  // namespace telltale::catcher
