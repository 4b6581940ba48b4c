// Chromium without a window, driven over a pipe (DevTools protocol, version 1.3: the domains
// Target, Page, Network and Runtime).
//
// It is started like a command of a door: in the subject's enclosure, environment, folder and user,
// with a profile of its own in ${TMPDIR}, which the launch takes away. Run by root it has no
// sandbox (--no-sandbox: Chromium refuses root with one). That gives a page of the subject, and all
// that it loads, the rights that the subject has already; what holds it then is the sealed world
// alone, so a page is opened nowhere else (page.cpp).
//
// The pipe is --remote-debugging-pipe: commands on descriptor 3, answers and events on 4, each a
// JSON text that ends with a zero byte. A shell puts the standard streams there.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "evidence/result.hpp"
#include "subject/doors/conversation.hpp"
#include "subject/doors/door.hpp"

namespace telltale::subject {

class Browser {
 public:
  using Event = std::function<void(const std::string& method, const nlohmann::json& params,
                                   const std::string& session)>;

  // Fault::instrument: there is none on the PATH. Nothing was asked of it yet.
  [[nodiscard]] static Result<Browser> start(const DoorContext& context);

  // Called for every event that command() and listen() come across.
  void on_event(Event event) { event_ = std::move(event); }
  // Its result. Fault::subject when the browser says it is an error, has ended, or is too late.
  [[nodiscard]] Result<nlohmann::json> command(const std::string& method,
                                               const nlohmann::json& params,
                                               const std::string& session,
                                               const Deadline& deadline);
  // As command(), but its answer is not waited for.
  [[nodiscard]] Result<> post(const std::string& method, const nlohmann::json& params,
                              const std::string& session, const Deadline& deadline);
  // One message more, if it comes in time; none is no error.
  [[nodiscard]] Result<> listen(const Deadline& deadline);

  [[nodiscard]] pid_t pid() const { return conversation_.pid(); }
  // The path that the kernel knows it by, as observers name it; a starter script is not it.
  [[nodiscard]] std::string executable() const;
  [[nodiscard]] std::chrono::steady_clock::duration age() const {
    return std::chrono::steady_clock::now() - started_;
  }

 private:
  explicit Browser(Conversation conversation) : conversation_(std::move(conversation)) {}
  [[nodiscard]] Result<nlohmann::json> read(const Deadline& deadline);
  [[nodiscard]] Error ended(Io state, const Deadline& deadline);

  Conversation conversation_;
  Event event_;
  int last_id_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace telltale::subject
