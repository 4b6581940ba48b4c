// The raw door: sends bytes and reads until what is expected has come, over TCP (tcp.cpp) or a unix
// socket (unix_socket.cpp).
//
// A connection on which a call did well is kept for the next one. Not every protocol allows that (a
// greeting comes only once, a server may want one request a connection), so a call that does badly
// on a kept connection is made again on a new one, and from then on each call opens its own. A door
// that sends nothing waits for a greeting and never keeps its connection.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "subject/doors/door.hpp"
#include "subject/wire/endpoint.hpp"
#include "subject/wire/stream.hpp"

namespace telltale::subject {

class RawDoor final : public Door {
 public:
  using Where = std::function<Result<Endpoint>(const Variables&)>;

  RawDoor(Where where, std::string send, Expectation expect, const DoorContext& context);

  Result<> prepare(const Variables& variables) override;
  // Ends when the expectation holds (the first bytes do when there is none), can no longer hold,
  // the subject closes, or at the limit: then what came is the answer, if anything did.
  Result<Answer> call(Milliseconds limit) override;
  [[nodiscard]] Peer peer() const override { return peer_; }

 private:
  [[nodiscard]] bool drained();
  [[nodiscard]] Result<Answer> exchange(const Deadline& deadline);
  [[nodiscard]] Result<Answer> call_anew(const Deadline& deadline);
  void read_more(Answer& answer, Io& state, const Deadline& deadline);

  Where where_;
  std::string send_written_;
  Expectation expect_written_;
  Enclosure& enclosure_;
  int interrupt_fd_;

  Endpoint endpoint_;
  std::string send_;
  Expectation expect_;
  Peer peer_;
  std::unique_ptr<Stream> stream_;  // a kept connection
  bool may_keep_ = true;
  std::vector<char> room_;
};

}  // namespace telltale::subject
