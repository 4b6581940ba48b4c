// fixtures/registries/serve.py on a port of loopback, and what it was asked.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

namespace telltale::test {

class RegistryServer {
 public:
  struct Received {
    std::string method;
    std::string path;  // as it stood on the wire
    int status = 0;
    std::map<std::string, std::string> headers;
  };

  // Rules are REGEX=MODE, as serve.py's help lists them. Serves fixtures/registries/go unless
  // another root is given, over TLS when a certificate with its key is. Throws when it does not
  // start.
  explicit RegistryServer(const std::vector<std::string>& rules = {},
                          const std::filesystem::path& root = {},
                          const std::filesystem::path& certificate = {});
  ~RegistryServer();
  RegistryServer(const RegistryServer&) = delete;
  RegistryServer& operator=(const RegistryServer&) = delete;

  [[nodiscard]] std::string host() const { return "127.0.0.1:" + port_; }
  [[nodiscard]] std::string url() const { return scheme_ + host(); }
  // Every request so far, in the order in which they came.
  [[nodiscard]] std::vector<Received> log() const;
  // "GET /a 200", sorted: for comparing with a list.
  [[nodiscard]] std::vector<std::string> requests() const;

 private:
  TemporaryFolder folder_;
  std::string scheme_;
  std::string port_;
  int pid_ = -1;
};

}  // namespace telltale::test
