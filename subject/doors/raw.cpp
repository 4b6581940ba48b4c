#include "subject/doors/raw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "subject/doors/expectation.hpp"

namespace telltale::subject {

RawDoor::RawDoor(Where where, std::string send, Expectation expect, const DoorContext& context)
    : where_(std::move(where)),
      send_written_(std::move(send)),
      expect_written_(std::move(expect)),
      enclosure_(context.enclosure),
      interrupt_fd_(context.interrupt_fd),
      room_(16 * 1024) {}

Result<> RawDoor::prepare(const Variables& variables) {
  auto endpoint = where_(variables);
  if (!endpoint) return pass_on(std::move(endpoint.error()));
  auto send = variables.expand(send_written_);
  if (!send) return pass_on(std::move(send.error()));
  auto expect = expand(expect_written_, variables);
  if (!expect) return pass_on(std::move(expect.error()));
  if (!(*endpoint == endpoint_)) stream_.reset();
  endpoint_ = std::move(*endpoint);
  send_ = std::move(*send);
  expect_ = std::move(*expect);
  if (send_.empty()) may_keep_ = false;
  return {};
}

// Late bytes of the last answer are dropped; false when the subject has closed the connection.
bool RawDoor::drained() {
  for (;;) {
    const auto got = stream_->receive_now(room_);
    if (got.state != Io::done) return got.state == Io::late;
  }
}

void RawDoor::read_more(Answer& answer, Io& state, const Deadline& deadline) {
  const auto got = stream_->receive(room_, deadline);
  state = got.state;
  const auto part = std::min(got.bytes, kAnswerLimit - answer.body.size());
  answer.body.append(room_.data(), part);
  answer.cut = part < got.bytes || answer.body.size() == kAnswerLimit;
}

Result<Answer> RawDoor::exchange(const Deadline& deadline) {
  Answer answer;
  Io state = stream_->send(send_, deadline);
  if (state == Io::answered) state = Io::done;
  if (state == Io::late || state == Io::interrupted)
    return pass_on(
        stream_error(state, endpoint_.text(), "while it was being written to", deadline));
  GrowingText text(expect_);
  while (state == Io::done && !answer.cut && !text.meets(answer.body) &&
         !text.cannot_meet(answer.body))
    read_more(answer, state, deadline);
  answer.took = deadline.elapsed();
  if (state == Io::interrupted || (state != Io::done && answer.body.empty()))
    return pass_on(stream_error(state, endpoint_.text(), "before it answered", deadline));
  if (state == Io::late)
    answer.error = fmt::format("no more came within {} ms", deadline.limit().count());
  if (state != Io::done || !may_keep_) stream_.reset();
  return answer;
}

Result<Answer> RawDoor::call_anew(const Deadline& deadline) {
  stream_.reset();
  peer_ = {};
  auto connected = connect_to(enclosure_, endpoint_, deadline);
  if (!connected) return pass_on(std::move(connected.error()));
  peer_ = std::move(connected->peer);
  stream_ = plain_stream(std::move(connected->socket));
  auto answer = exchange(deadline);
  if (!answer || !text_meets(expect_, answer->body)) stream_.reset();
  return answer;
}

Result<Answer> RawDoor::call(Milliseconds limit) {
  if (stream_ && drained()) {
    const Deadline half(limit / 2, interrupt_fd_);
    auto answer = exchange(half);
    if (answer && text_meets(expect_, answer->body)) return answer;
    if (!answer && answer.error().fault == Fault::interrupted) return answer;
    may_keep_ = false;
    limit -= limit / 2;
  }
  return call_anew(Deadline(limit, interrupt_fd_));
}

}  // namespace telltale::subject
