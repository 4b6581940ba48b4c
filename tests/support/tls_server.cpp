#include "support/tls_server.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

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
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
  void operator()(BIO* memory) const { BIO_free(memory); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

// Seconds from now.
Owned<X509> unsigned_certificate(EVP_PKEY* key, long from, long until) {
  Owned<X509> certificate(X509_new());
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), from);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), until);
  X509_set_pubkey(certificate.get(), key);
  return certificate;
}

Owned<X509> self_signed(EVP_PKEY* key) {
  auto certificate = unsigned_certificate(key, -7200, -3600);  // expired, too
  X509_sign(certificate.get(), key, EVP_sha256());
  return certificate;
}

std::string text_of(BIO* memory) {
  char* bytes = nullptr;
  const auto size = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
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

std::string loopback_certificate() {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const auto certificate = unsigned_certificate(key.get(), -60, 3600);
  X509_set_version(certificate.get(), X509_VERSION_3);
  auto* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("loopback"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  const Owned<X509_EXTENSION> address(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"));
  X509_add_ext(certificate.get(), address.get(), -1);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const Owned<BIO> memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  PEM_write_bio_X509(memory.get(), certificate.get());
  return text_of(memory.get());
}

}  // namespace telltale::test
