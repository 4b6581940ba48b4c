// A server of one test: a thread that accepts on loopback or a unix socket and hands each
// connection, one after the other, to a script of the test.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace telltale::test {

// One accepted connection. Everything ends quietly when the client or the server goes away.
class Connection {
 public:
  explicit Connection(int fd, int number) : fd_(fd), number_(number) {}

  [[nodiscard]] int number() const { return number_; }  // from 1
  [[nodiscard]] int fd() const { return fd_; }
  void send(std::string_view bytes) const;
  // Header and counted body of the next request; empty when the client has closed.
  [[nodiscard]] std::string request();
  // What comes until `end` has; empty when the client has closed.
  [[nodiscard]] std::string until(std::string_view end);
  // Waits until the client closes; what it sends is dropped.
  void wait_for_close() const;
  // The connection ends with a reset instead of an orderly close.
  void reset_on_close() const;

 private:
  bool more();
  [[nodiscard]] std::string taken(std::size_t bytes);

  int fd_;
  int number_;
  std::string pending_;
};

class ScriptedServer {
 public:
  using Script = std::function<void(Connection&)>;

  explicit ScriptedServer(Script script);                              // 127.0.0.1, a free port
  ScriptedServer(const std::filesystem::path& socket, Script script);  // a unix socket
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url(std::string_view path) const;
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void serve();

  Script script_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  int stop_ = -1;  // an eventfd
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  int open_ = -1;  // the connection that is served, to be shut down by the destructor
  bool stopping_ = false;
  std::thread thread_;
};

// "HTTP/1.1 200 OK" with this body, counted.
[[nodiscard]] std::string ok(std::string_view body, std::string_view headers = {});

}  // namespace telltale::test
