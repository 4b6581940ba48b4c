// The thread of the answerer: accepts, reads the first flight, records it, answers, lets go.
//
// Everything but start(), stop() and the log runs on that thread.
#pragma once

#include "catcher/answerer.hpp"
#include "catcher/answerer/connection_table.hpp"
#include "catcher/answerer/reply.hpp"
#include "catcher/first_flight.hpp"
#include "catcher/sighting_log.hpp"

namespace telltale::catcher {

class AnswerServer {
 public:
  AnswerServer(Scene& scene, const NameTable& names, AnswererPlan plan);

  [[nodiscard]] Result<> start();
  void stop() { thread_.stop(); }
  [[nodiscard]] bool running() const { return thread_.running(); }
  [[nodiscard]] const std::string& failure() const { return thread_.failure(); }

  [[nodiscard]] SightingLog& log() { return log_; }
  [[nodiscard]] const AnswererPlan& plan() const { return plan_; }
  [[nodiscard]] Scene& scene() { return scene_; }
  // SYNs to the listening socket are dropped, unanswered.
  void drop_everything(bool on) const;

 private:
  [[nodiscard]] bool watch(int fd) const;                   // for what it says
  bool watch(int fd, int how, std::uint32_t events) const;  // epoll_ctl(2)
  void run(int stop);
  void accept_all();
  void begin(subject::FileDescriptor socket, Endpoint peer, Endpoint here);
  void make_room();
  void on_readable(int fd);
  void look_into(CaughtConnection& connection, wire::Bytes said);
  void on_flight(CaughtConnection& connection);
  bool answer_hello(CaughtConnection& connection);
  void on_due();
  // `gone`: the caller has closed, and forget() comes next.
  void finish(CaughtConnection& connection, bool gone = false);
  void finish_all();
  void on_writable(int fd);
  static void send_what_fits(CaughtConnection& connection);
  void send_answer(CaughtConnection& connection);
  void leave(CaughtConnection& connection);
  void record(const CaughtConnection& connection, const FirstFlight& flight, const Reply& reply);
  [[nodiscard]] std::string host_of(const CaughtConnection& connection) const;

  Scene& scene_;
  const NameTable& names_;
  AnswererPlan plan_;
  PeerOwner owner_;
  SightingLog log_;
  subject::FileDescriptor listener_, epoll_;
  ConnectionTable connections_{Answerer::kConnections};
  ServingThread thread_;  // last: its end comes before that of all it uses
};

}  // namespace telltale::catcher
