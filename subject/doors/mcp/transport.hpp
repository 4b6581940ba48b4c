// How MCP messages travel: over streamable HTTP (http.cpp) or a program's standard input and output
// (stdio.cpp).
#pragma once

#include <memory>

#include "subject/doors/door.hpp"
#include "subject/doors/mcp/protocol.hpp"

namespace telltale::subject::mcp {

class Transport {
 public:
  virtual ~Transport() = default;
  // Where to, with these variables. Nothing is sent or started.
  [[nodiscard]] virtual Result<> prepare(const Variables& variables) = 0;
  // Renders the message; exchange() sends it, as often as wanted.
  [[nodiscard]] virtual Result<> load(const Message& message) = 0;
  // Sends the loaded message, a request under this id, and waits for its response. A notification
  // is only sent.
  [[nodiscard]] virtual Result<Reply> exchange(std::uint64_t id, Milliseconds limit) = 0;
  [[nodiscard]] virtual Peer peer() const { return {}; }
  [[nodiscard]] virtual pid_t helper() const { return 0; }
};

[[nodiscard]] std::unique_ptr<Transport> http_transport(const McpCall& call,
                                                        const DoorContext& context);
[[nodiscard]] std::unique_ptr<Transport> stdio_transport(const McpCall& call,
                                                         const DoorContext& context);

// Writes the ten digits of an id over those at `at`.
void write_id(std::string& text, std::size_t at, std::uint64_t id);

}  // namespace telltale::subject::mcp
