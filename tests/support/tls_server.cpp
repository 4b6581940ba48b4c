#include "support/tls_server.hpp"

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace telltale::test {

namespace {

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* session) const { SSL_free(session); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

Owned<X509> self_signed(EVP_PKEY* key) {
  Owned<X509> certificate(X509_new());
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -7200);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), -3600);  // expired, too
  X509_set_pubkey(certificate.get(), key);
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

std::shared_ptr<SSL_CTX> server_context() {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), Free{});
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const auto certificate = self_signed(key.get());
  if (SSL_CTX_use_certificate(context.get(), certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1)
    throw std::runtime_error("no certificate");
  return context;
}

class OpenSslConnection final : public TlsConnection {
 public:
  explicit OpenSslConnection(SSL* session) : session_(session) {}

  [[nodiscard]] std::string server_name() const override {
    const char* name = SSL_get_servername(session_, TLSEXT_NAMETYPE_host_name);
    return name == nullptr ? "" : name;
  }
  [[nodiscard]] std::string until(std::string_view end) override {
    for (;;) {
      const auto at = pending_.find(end);
      if (at != std::string::npos) {
        auto text = pending_.substr(0, at + end.size());
        pending_.erase(0, text.size());
        return text;
      }
      std::array<char, 4096> room{};
      const int got = SSL_read(session_, room.data(), static_cast<int>(room.size()));
      if (got <= 0) return {};
      pending_.append(room.data(), static_cast<std::size_t>(got));
    }
  }
  void send(std::string_view bytes) override {
    SSL_write(session_, bytes.data(), static_cast<int>(bytes.size()));
  }
  void close_notify() override { SSL_shutdown(session_); }

 private:
  SSL* session_;
  std::string pending_;
};

}  // namespace

ScriptedServer::Script over_tls(std::function<void(TlsConnection&)> script) {
  return [context = server_context(), script = std::move(script)](Connection& connection) {
    const Owned<SSL> session(SSL_new(context.get()));
    SSL_set_fd(session.get(), connection.fd());
    if (SSL_accept(session.get()) != 1) return;
    OpenSslConnection secured(session.get());
    script(secured);
  };
}

}  // namespace telltale::test
