// The answerer's thread, second half: from the end of a first flight to the end of the connection.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>

#include "catcher/answerer/server.hpp"

namespace telltale::catcher {

namespace {

constexpr std::chrono::seconds kAnswerTime{30};  // for a caller to take a long answer
constexpr std::chrono::seconds kFarewell{2};     // and then to read the rest and close

}  // namespace

void AnswerServer::record(const CaughtConnection& connection, const FirstFlight& flight,
                          const Reply& reply) {
  Sighting sighting;
  sighting.observer = "answerer";
  sighting.at = connection.at;
  sighting.launch = connection.moment.launch;
  // What another observer's control did may be accepted after its moment.
  sighting.phase = scene_.is_control(connection.dialled.address, connection.dialled.port)
                       ? kControlPhase
                       : connection.moment.phase;
  sighting.protocol = "tcp";
  sighting.address = connection.dialled.address;
  sighting.host = host_of(connection);
  sighting.port = connection.dialled.port;
  sighting.client_port = connection.peer.port;
  sighting.pid = connection.program.pid;
  sighting.executable = connection.program.executable;
  sighting.payload = connection.payload;
  sighting.answered_by = reply.by;
  sighting.answer_status = reply.status;
  put_into(flight, connection.said(), sighting);
  for (auto& question : questions_of(flight, sighting)) log_.add(std::move(question));
  log_.add(std::move(sighting));
}

// The first flight is over: it is recorded and answered.
void AnswerServer::finish(CaughtConnection& connection, bool gone) {
  const auto flight = connection.first_flight();
  if (connection.program.pid == 0 && !connection.program.gone)
    connection.program = owner_.find(IPPROTO_TCP, connection.peer, connection.here);
  auto reply = reply_to(flight, {host_of(connection), connection.dialled.port}, plan_);
  record(connection, flight, reply);
  connection.flight = {};
  if (plan_.mode == AnswerMode::accept_hold && reply.bytes.empty())
    return connections_.enter(connection, AnswerStage::held, AnswerClock::time_point::max());
  connection.answer = connection.in_its_terms(reply.bytes);
  if (connection.secured) {
    connection.secured->say_goodbye();
    connection.answer += connection.secured->take_output();
  }
  if (gone) return send_what_fits(connection);
  connections_.enter(connection, AnswerStage::answering, AnswerClock::now() + kAnswerTime);
  send_answer(connection);
}

// It may have closed its own end only.
void AnswerServer::send_what_fits(CaughtConnection& connection) {
  const auto& answer = connection.answer;
  if (!answer.empty()) ::send(connection.socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
}

// An answer of the file may be longer than the caller's window: the rest follows as it reads.
void AnswerServer::send_answer(CaughtConnection& connection) {
  const int fd = connection.socket.get();
  auto& answer = connection.answer;
  const auto sent = answer.empty() ? 0 : ::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL);
  if (sent > 0) answer.erase(0, static_cast<std::size_t>(sent));
  if (sent < 0 && errno != EAGAIN && errno != EINTR) answer.clear();
  if (answer.empty()) return leave(connection);
  watch(fd, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
}

void AnswerServer::on_writable(int fd) {
  auto* connection = connections_.find(fd);
  if (connection == nullptr || connection->stage != AnswerStage::answering) return;
  send_answer(*connection);
  if (connection->answer.empty()) watch(fd, EPOLL_CTL_MOD, EPOLLIN);
}

// Closing with bytes unread would reset the connection: what still comes is read and let go.
void AnswerServer::leave(CaughtConnection& connection) {
  shutdown(connection.socket.get(), SHUT_WR);
  connections_.enter(connection, AnswerStage::leaving, AnswerClock::now() + kFarewell);
}

}  // namespace telltale::catcher
