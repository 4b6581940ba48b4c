// The server's end of one TLS connection of the subject, in place of the server that it meant.
//
//   TlsSession session(terminator, "203.0.113.9");
//   session.receive(ciphertext);  send(session.take_output());
//   if (session.state() == TlsState::open) look_at(session.take_plain());
//
// Theory of operation. OpenSSL works on two memory buffers, so whoever owns the socket keeps it.
// The certificate is the run authority's for the name in the ClientHello (RFC 6066), or for what
// was dialled. Nothing is resumed: every connection sees the certificate. ALPN (RFC 7301) takes h2,
// else http/1.1, else the first that is offered. Old versions and weak ciphers are taken too: what
// is to be read is what the subject says, whatever its age.
//
// Whether a client trusts the certificate is its own affair, and what it does about it is told:
// an alert of RFC 8446 section 6.2 about the certificate, or hanging up once it has it. A client
// that wants the server to speak first says nothing and stays; it is open, and not refused. It does
// not see: a client that goes on and does not trust what it was given.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catcher/tls/run_authority.hpp"
#include "catcher/wire/reader.hpp"

namespace telltale::catcher {

enum class TlsState {
  shaking_hands,
  open,
  refused,  // by the client: it does not take the certificate
  failed,   // no common version or cipher, bytes that are no TLS
  ended     // closed by the client after it has said something
};

// What all sessions of a run share. From one thread.
class TlsTerminator {
 public:
  // `authority` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<TlsTerminator>> make(RunAuthority& authority);
  ~TlsTerminator();
  TlsTerminator(const TlsTerminator&) = delete;
  TlsTerminator& operator=(const TlsTerminator&) = delete;

 private:
  friend class TlsSession;
  struct Context;
  explicit TlsTerminator(std::unique_ptr<Context> context);
  std::unique_ptr<Context> context_;
};

class TlsSession {
 public:
  // `dialled`, a name or a numeric address, is what the certificate is for when the hello has no
  // name.
  TlsSession(TlsTerminator& terminator, std::string dialled);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  void receive(wire::Bytes ciphertext);
  void peer_closed();
  void send(std::string_view plain);
  void close();                             // says that nothing follows
  [[nodiscard]] std::string take_output();  // for the peer

  [[nodiscard]] TlsState state() const;
  // Of refused and failed: "alert: unknown CA", "hung up after the certificate".
  [[nodiscard]] const std::string& reason() const;
  [[nodiscard]] std::vector<std::uint8_t> take_plain();  // read since the last call
  [[nodiscard]] std::string protocol() const;            // by ALPN; empty: none was offered

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace telltale::catcher
