// OpenSSL never touches the socket: it reads from and writes to two memory buffers, and this file
// moves the bytes. So deadlines, interruption and SIGPIPE are handled in one place, stream.cpp.
#include "subject/wire/tls_stream.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

namespace telltale::subject {

namespace {

struct FreeSession {
  void operator()(SSL* session) const { SSL_free(session); }
};
using Session = std::unique_ptr<SSL, FreeSession>;

SSL_CTX* context() {
  static SSL_CTX* const one = [] {
    SSL_CTX* made = SSL_CTX_new(TLS_client_method());
    if (made != nullptr) {
      SSL_CTX_set_verify(made, SSL_VERIFY_NONE, nullptr);
      SSL_CTX_set_security_level(made, 0);  // a small test key says nothing about the subject
    }
    return made;
  }();
  return one;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  return inet_pton(AF_INET, host.c_str(), ignored.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), ignored.data()) == 1;
}

Session new_session(const std::string& host) {
  Session session(context() == nullptr ? nullptr : SSL_new(context()));
  if (!session) return session;
  SSL_set_bio(session.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_connect_state(session.get());
  if (!is_address(host)) SSL_set_tlsext_host_name(session.get(), host.c_str());
  return session;
}

std::string openssl_reason() {
  std::array<char, 256> text{};
  const auto code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "no reason given";
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

class TlsStream final : public Stream {
 public:
  TlsStream(std::unique_ptr<Stream> below, Session session)
      : below_(std::move(below)), session_(std::move(session)) {}

  // Io::reset when the peer's bytes are no TLS; openssl_reason() then says why.
  Io shake_hands(const Deadline& deadline) {
    for (;;) {
      ERR_clear_error();
      const int result = SSL_do_handshake(session_.get());
      const int error = SSL_get_error(session_.get(), result);
      const Io sent = flush(deadline);
      if (sent != Io::done) return sent;
      if (result == 1) return Io::done;
      if (error != SSL_ERROR_WANT_READ) return Io::reset;
      const Io fed = feed(deadline);
      if (fed != Io::done) return fed;
    }
  }

  Io send(std::string_view bytes, const Deadline& deadline) override {
    while (!bytes.empty()) {
      const auto part = std::min<std::size_t>(bytes.size(), INT_MAX);
      const int taken = SSL_write(session_.get(), bytes.data(), static_cast<int>(part));
      if (taken <= 0) return Io::reset;
      bytes.remove_prefix(static_cast<std::size_t>(taken));
    }
    return flush(deadline);
  }

  Received receive(std::span<char> room, const Deadline& deadline) override {
    for (;;) {
      const Received got = decrypt(room);
      if (got.state != Io::late) return got;
      const Io sent = flush(deadline);  // an alert, or the answer to a key update
      if (sent != Io::done) return {sent, 0};
      const Io fed = feed(deadline);
      if (fed != Io::done) return {fed, 0};
    }
  }

  Received receive_now(std::span<char> room) override {
    const Received got = decrypt(room);
    if (got.state != Io::late) return got;
    const Received raw = below_->receive_now(cipher_text_);
    if (raw.state != Io::done) return raw;
    keep(raw.bytes);
    return decrypt(room);
  }

 private:
  // Io::late: more bytes of the peer are needed.
  Received decrypt(std::span<char> room) {
    ERR_clear_error();
    const auto part = std::min<std::size_t>(room.size(), INT_MAX);
    const int count = SSL_read(session_.get(), room.data(), static_cast<int>(part));
    if (count > 0) return {Io::done, static_cast<std::size_t>(count)};
    switch (SSL_get_error(session_.get(), count)) {
      case SSL_ERROR_WANT_READ:
        return {Io::late, 0};
      case SSL_ERROR_ZERO_RETURN:
        return {Io::closed, 0};
      default:
        return {Io::reset, 0};
    }
  }

  Io feed(const Deadline& deadline) {
    const Received raw = below_->receive(cipher_text_, deadline);
    if (raw.state == Io::done) keep(raw.bytes);
    return raw.state;
  }

  void keep(std::size_t bytes) {
    BIO_write(SSL_get_rbio(session_.get()), cipher_text_.data(), static_cast<int>(bytes));
  }

  Io flush(const Deadline& deadline) {
    char* start = nullptr;
    BIO* out = SSL_get_wbio(session_.get());
    const auto size = BIO_get_mem_data(out, &start);
    if (size <= 0) return Io::done;
    const Io sent = below_->send({start, static_cast<std::size_t>(size)}, deadline);
    (void)BIO_reset(out);
    return sent;
  }

  std::unique_ptr<Stream> below_;
  Session session_;
  std::array<char, 16 * 1024> cipher_text_{};
};

}  // namespace

Result<std::unique_ptr<Stream>> tls_stream(std::unique_ptr<Stream> below, const std::string& host,
                                           const std::string& peer, const Deadline& deadline) {
  Session session = new_session(host);
  if (!session) return fail(Fault::instrument, "OpenSSL gave no TLS session: " + openssl_reason());
  auto stream = std::make_unique<TlsStream>(std::move(below), std::move(session));
  const Io shaken = stream->shake_hands(deadline);
  if (shaken == Io::done) return stream;
  if (shaken == Io::reset)
    return fail(Fault::subject,
                fmt::format("{} does not speak TLS with us: {}", peer, openssl_reason()));
  return pass_on(stream_error(shaken, peer, "in the middle of the TLS handshake", deadline));
}

}  // namespace telltale::subject
