// A small MCP server over streamable HTTP, in either era, that notes down what it was asked.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/scripted_server.hpp"

namespace telltale::test {

struct McpServer {
  bool modern = false;
  bool events = false;          // answers as an event stream, with a notification before the result
  bool stream_goes_on = false;  // and the stream does not end after it
  bool sessions = true;         // legacy: gives a session id
  int forget_after = 0;         // legacy: requests after which the session is forgotten; 0: never
  nlohmann::json result = {{"tools", nlohmann::json::array()}};

  [[nodiscard]] ScriptedServer::Script script();
  [[nodiscard]] std::vector<std::string> methods();  // asked so far
  [[nodiscard]] std::string last();                  // the last request, as it came

 private:
  struct Asked {
    std::string raw;
    nlohmann::json message;
  };
  [[nodiscard]] std::string answer(const Asked& asked);
  [[nodiscard]] std::string answer_legacy(const Asked& asked);
  [[nodiscard]] std::string answer_modern(const Asked& asked);
  [[nodiscard]] std::string wrapped(const nlohmann::json& response,
                                    const std::string& headers) const;
  [[nodiscard]] std::string session() const { return "session-" + std::to_string(session_); }

  std::mutex mutex_;
  std::vector<Asked> asked_;
  int session_ = 0;
  int served_ = 0;
};

}  // namespace telltale::test
