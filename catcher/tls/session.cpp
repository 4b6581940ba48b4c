#include "catcher/tls/session.hpp"

#include <fmt/format.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "catcher/tls/openssl_owned.hpp"

namespace telltale::catcher {

namespace {

constexpr std::uint8_t kCertificateMessage = 11;  // RFC 8446 section 4
constexpr std::uint8_t kCloseNotify = 0;

// Alerts that say: not with this certificate.
constexpr std::uint8_t kCertificateAlerts[] = {SSL3_AD_BAD_CERTIFICATE,
                                               SSL3_AD_UNSUPPORTED_CERTIFICATE,
                                               SSL3_AD_CERTIFICATE_REVOKED,
                                               SSL3_AD_CERTIFICATE_EXPIRED,
                                               SSL3_AD_CERTIFICATE_UNKNOWN,
                                               TLS1_AD_UNKNOWN_CA,
                                               TLS1_AD_ACCESS_DENIED,
                                               TLS1_AD_BAD_CERTIFICATE_STATUS_RESPONSE,
                                               TLS1_AD_BAD_CERTIFICATE_HASH_VALUE};

bool is_about_certificate(std::uint8_t alert) {
  return std::find(std::begin(kCertificateAlerts), std::end(kCertificateAlerts), alert) !=
         std::end(kCertificateAlerts);
}

std::string last_reason() {
  const char* text = ERR_reason_error_string(ERR_peek_last_error());
  return text == nullptr ? "the handshake failed" : text;
}

// `offered` is a list of lengths and names. nullptr: there is none.
const unsigned char* find_protocol(std::string_view wanted, const unsigned char* offered,
                                   unsigned int size) {
  for (unsigned int at = 0; at < size && at + 1U + offered[at] <= size; at += 1U + offered[at])
    if (std::string_view(reinterpret_cast<const char*>(offered + at + 1), offered[at]) == wanted)
      return offered + at;
  return nullptr;
}

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length,
                    const unsigned char* offered, unsigned int size, void*) {
  if (size < 2 || offered[0] == 0) return SSL_TLSEXT_ERR_NOACK;
  const unsigned char* best = nullptr;
  for (const auto* wanted : {"h2", "http/1.1"})
    if (best == nullptr) best = find_protocol(wanted, offered, size);
  if (best == nullptr) best = offered;
  *length = best[0];
  *chosen = best + 1;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

struct TlsTerminator::Context {
  Owned<SSL_CTX> shared;
  RunAuthority& authority;
};

struct TlsSession::Inside {
  RunAuthority& authority;
  std::string dialled;
  Owned<SSL> session;
  BIO* from_peer = nullptr;  // the session's
  BIO* to_peer = nullptr;
  TlsState state = TlsState::shaking_hands;
  std::string reason{};
  std::vector<std::uint8_t> plain{};
  bool said_something = false;
  bool certificate_sent = false;
  std::optional<std::uint8_t> alert{};  // from the peer, but for close_notify

  static Inside& of(SSL* session) { return *static_cast<Inside*>(SSL_get_app_data(session)); }

  static int on_certificate_wanted(SSL* session, void*) {
    auto& own = of(session);
    const char* name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
    const bool by_name = name != nullptr && own.authority.certify(session, name);
    return by_name || own.authority.certify(session, own.dialled) ? 1 : 0;
  }

  static void on_message(int sent, int, int type, const void* data, std::size_t size, SSL* session,
                         void*) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    auto& own = of(session);
    if (sent == 1 && type == SSL3_RT_HANDSHAKE && size > 0 && bytes[0] == kCertificateMessage)
      own.certificate_sent = true;
    if (sent == 0 && type == SSL3_RT_ALERT && size >= 2 && bytes[1] != kCloseNotify)
      own.alert = bytes[1];
  }

  void shake_hands() {
    ERR_clear_error();
    const int done = SSL_do_handshake(session.get());
    if (done == 1)
      state = TlsState::open;
    else if (SSL_get_error(session.get(), done) != SSL_ERROR_WANT_READ)
      give_up();
  }

  void read_all() {
    std::array<std::uint8_t, 16 * 1024> part;
    for (;;) {
      ERR_clear_error();
      const int bytes = SSL_read(session.get(), part.data(), static_cast<int>(part.size()));
      if (bytes > 0) {
        said_something = true;
        plain.insert(plain.end(), part.begin(), part.begin() + bytes);
        continue;
      }
      const int error = SSL_get_error(session.get(), bytes);
      if (error == SSL_ERROR_ZERO_RETURN) return end();
      if (error != SSL_ERROR_WANT_READ) give_up();
      return;
    }
  }

  void give_up() {
    const bool refusal = alert && is_about_certificate(*alert) && !said_something;
    state = refusal ? TlsState::refused : TlsState::failed;
    reason = alert ? fmt::format("alert: {}", SSL_alert_desc_string_long(*alert)) : last_reason();
  }

  // In order (close_notify) or not.
  void end() {
    if (state != TlsState::open && state != TlsState::shaking_hands) return;
    if (state == TlsState::open && said_something) {
      state = TlsState::ended;
      return;
    }
    state = certificate_sent ? TlsState::refused : TlsState::failed;
    reason = !certificate_sent                     ? "hung up in the middle of its hello"
             : SSL_is_init_finished(session.get()) ? "hung up after the handshake, without a word"
                                                   : "hung up after the certificate";
  }
};

TlsTerminator::TlsTerminator(std::unique_ptr<Context> context) : context_(std::move(context)) {}
TlsTerminator::~TlsTerminator() = default;

Result<std::unique_ptr<TlsTerminator>> TlsTerminator::make(RunAuthority& authority) {
  auto context = std::make_unique<Context>(
      Context{Owned<SSL_CTX>(SSL_CTX_new(TLS_server_method())), authority});
  auto* shared = context->shared.get();
  if (shared == nullptr || SSL_CTX_set_cipher_list(shared, "DEFAULT:@SECLEVEL=0") != 1 ||
      SSL_CTX_set_min_proto_version(shared, TLS1_VERSION) != 1)
    return fail(Fault::instrument, "TLS cannot be read: OpenSSL gives no server",
                "see whether `openssl s_server` works on this machine");
  SSL_CTX_set_options(shared, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(shared, 0);
  SSL_CTX_set_session_cache_mode(shared, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(shared, choose_protocol, nullptr);
  return std::unique_ptr<TlsTerminator>(new TlsTerminator(std::move(context)));
}

TlsSession::TlsSession(TlsTerminator& terminator, std::string dialled)
    : inside_(std::make_unique<Inside>(
          Inside{terminator.context_->authority, std::move(dialled),
                 Owned<SSL>(SSL_new(terminator.context_->shared.get()))})) {
  auto& own = *inside_;
  own.from_peer = BIO_new(BIO_s_mem());
  own.to_peer = BIO_new(BIO_s_mem());
  if (!own.session || own.from_peer == nullptr || own.to_peer == nullptr) throw std::bad_alloc();
  auto* session = own.session.get();
  SSL_set_bio(session, own.from_peer, own.to_peer);
  SSL_set_app_data(session, inside_.get());
  SSL_set_cert_cb(session, Inside::on_certificate_wanted, nullptr);
  SSL_set_msg_callback(session, Inside::on_message);
  SSL_set_accept_state(session);
}

TlsSession::~TlsSession() = default;

void TlsSession::receive(wire::Bytes ciphertext) {
  auto& own = *inside_;
  if (ciphertext.empty()) return;
  if (own.state != TlsState::open && own.state != TlsState::shaking_hands) return;
  BIO_write(own.from_peer, ciphertext.data(), static_cast<int>(ciphertext.size()));
  if (own.state == TlsState::shaking_hands) own.shake_hands();
  if (own.state == TlsState::open) own.read_all();
}

void TlsSession::peer_closed() {
  inside_->end();
}

void TlsSession::send(std::string_view plain) {
  auto& own = *inside_;
  if (own.state != TlsState::open || plain.empty()) return;
  ERR_clear_error();
  SSL_write(own.session.get(), plain.data(), static_cast<int>(plain.size()));
}

void TlsSession::close() {
  auto& own = *inside_;
  if (own.state != TlsState::open && own.state != TlsState::ended) return;
  ERR_clear_error();
  SSL_shutdown(own.session.get());
}

std::string TlsSession::take_output() {
  char* data = nullptr;
  const long size = BIO_get_mem_data(inside_->to_peer, &data);
  std::string output(data, static_cast<std::size_t>(std::max(size, 0L)));
  [[maybe_unused]] const int emptied = BIO_reset(inside_->to_peer);
  return output;
}

TlsState TlsSession::state() const {
  return inside_->state;
}

const std::string& TlsSession::reason() const {
  return inside_->reason;
}

std::vector<std::uint8_t> TlsSession::take_plain() {
  return std::exchange(inside_->plain, {});
}

std::string TlsSession::protocol() const {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(inside_->session.get(), &name, &size);
  return {reinterpret_cast<const char*>(name), name == nullptr ? 0 : size};
}

}  // namespace telltale::catcher
