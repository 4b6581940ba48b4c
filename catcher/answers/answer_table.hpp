// What servers outside would answer, as subject.yaml says it (`egress: answers:`).
//
//   auto table = AnswerTable::make(specification.egress->answers);
//   if (const auto* answer = table->ask({"idp.example", 80, "POST", "/token?x=1"})) ...
//
// The table knows no protocol: whoever has read a request asks it, the answerer for one in clear
// text, the proxy for one that came to it, a reader of TLS for one that it has decrypted. Every
// question and every answer that was played is counted, so that an entry that nobody asked for can
// be told. Safe to use from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "catcher/answers/played_answer.hpp"
#include "evidence/result.hpp"
#include "evidence/row.hpp"

namespace telltale::catcher {

struct AskedRequest {
  std::string host;  // a name or a numeric address
  std::uint16_t port = 0;
  std::string method;
  std::string target;  // path and query
};

// One place of the table: a server and path, with the answers that it gives in order; the last one
// is given again. An entry of the file has one, an archive as many as it recorded for one request.
struct AnswerPlace {
  std::string host;
  std::uint16_t port = 0;  // 0: any
  std::string method;      // empty: any
  std::string path;        // empty: any; `*` and `**` unless `exact`
  std::string query;       // of an archive; what has the right one goes before what has another
  bool exact = false;
  std::vector<PlayedAnswer> answers;
  std::uint64_t played = 0;

  [[nodiscard]] std::string text() const;  // "POST idp.example:80/token"
};

class AnswerTable {
 public:
  AnswerTable() = default;
  // Fault::input for an archive that cannot be read, or that holds no answer.
  [[nodiscard]] static Result<std::shared_ptr<AnswerTable>> make(
      const std::vector<subject::AnswerEntry>& entries);

  // The answer of the first place that fits; nullptr: unanswered. It lives as long as the table.
  [[nodiscard]] const PlayedAnswer* ask(const AskedRequest& request);

  [[nodiscard]] bool empty() const { return places_.empty(); }
  [[nodiscard]] bool knows(const std::string& host) const;
  [[nodiscard]] bool knows(const std::string& host, std::uint16_t port) const;

  // "idp.example:80 by the file", each server that was played once.
  [[nodiscard]] std::vector<std::string> played() const;
  // One a place: how often it was played, or that it never was.
  [[nodiscard]] std::vector<evidence::Row> rows() const;

 private:
  [[nodiscard]] AnswerPlace* find(const AskedRequest& request, bool with_query);

  mutable std::mutex mutex_;
  std::vector<AnswerPlace> places_;
  std::vector<std::string> played_;
};

// The target of a request as path and query: of an absolute URL what follows its host; empty for
// CONNECT and "*".
[[nodiscard]] std::string path_and_query(const std::string& target);

}  // namespace telltale::catcher
