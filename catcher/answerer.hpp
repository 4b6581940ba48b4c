// The answerer: every TCP connection of the subject, to any address and port, is accepted, its
// first bytes are read, and it is answered by mode.
//
// Theory of operation. The world redirects connections to one transparent listening socket; the
// address that the subject dialled is the local address of the accepted one (getsockname). One
// thread serves all of them by epoll. A connection holds a few hundred bytes and what it has said,
// at most kFirstFlight; when there are too many, or descriptors run out, the oldest is answered
// early, so that none goes unseen. A request that the file answers (answers/answer_table.hpp) gets
// that answer, whatever the mode; only "drop" lets none come so far. A flight is over when it is
// understood, kQuiet after the last byte of one that is not, and in any case after kPatience.
//
// In the pass that reads TLS (tls/tls_pass.hpp) a first flight that is a ClientHello is answered in
// the server's place; the flight is then what is said inside, and the DNS questions in it are
// sightings of their own.
//
// Proof. Blind to what is no TCP, to the rest of a conversation after its first flight, and in the
// mode "drop" to everything (SYNs are dropped; the controls are then let through). A connection
// that was reset before it was accepted is still seen.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "catcher/answer_mode.hpp"
#include "catcher/answers/answer_table.hpp"
#include "catcher/name_table.hpp"
#include "catcher/observer.hpp"
#include "catcher/serving.hpp"
#include "catcher/tls/tls_control.hpp"
#include "catcher/tls/tls_pass.hpp"

namespace telltale::catcher {

class SentValues;

struct AnswererPlan {
  SocketSource tcp;  // listening
  FarSide side;
  AnswerMode mode = AnswerMode::accept_close;
  // Asked for every request that was read, before the mode; nullptr: no answer is played.
  std::shared_ptr<AnswerTable> answers{};
  // Where the controls go; empty: a fresh address and port of each family, in a world where all
  // lead here.
  std::vector<Endpoint> probes{};
  SentValues* sent = nullptr;  // is fed all that is read; nullptr: nobody looks into it
  TlsPass* tls = nullptr;      // outlives the answerer; nullptr: TLS is never read
};

class AnswerServer;

class Answerer final : public Observer {
 public:
  static constexpr std::size_t kFirstFlight = 8 * 1024;
  static constexpr std::chrono::milliseconds kPatience{1000};
  static constexpr std::chrono::milliseconds kSecured{5000};  // from a hello that is answered
  static constexpr std::chrono::milliseconds kQuiet{50};
  static constexpr std::size_t kConnections = 40'000;

  // `names` may be written by others meanwhile.
  Answerer(Scene& scene, const NameTable& names, AnswererPlan plan);
  ~Answerer() override;

  [[nodiscard]] std::string_view name() const override { return "answerer"; }
  [[nodiscard]] Result<> start(subject::Enclosure& enclosure) override;
  // A caller connects to each probe, says a word that nobody knows and a TLS hello to a name that
  // exists nowhere.
  [[nodiscard]] std::string_view expected() const override;
  void ask(ControlRound& round) override;
  [[nodiscard]] Proof check(const ControlRound& round) override;
  // Of the pass that reads TLS, after check(); ask() has then asked for it too
  // (tls/tls_control.hpp).
  [[nodiscard]] evidence::Control check_tls(const std::string& when,
                                            const ControlRound& round) const;
  void stop() override;
  [[nodiscard]] std::vector<Sighting> sightings() const override;
  [[nodiscard]] evidence::ObserverRecord record() const override;
  [[nodiscard]] std::vector<evidence::Row> rows(const evidence::HostStamp& host) const override;

 private:
  struct Conversation {
    std::size_t act;         // of the round
    std::string what, mark;  // in words; what tells its sighting
  };

  std::unique_ptr<AnswerServer> server_;
  std::vector<Conversation> conversations_;  // of the control that runs now
  std::optional<evidence::Instant> started_, ended_;
  TlsControl tls_control_;
};

}  // namespace telltale::catcher
