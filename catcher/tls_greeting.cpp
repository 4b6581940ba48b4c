#include "catcher/tls_greeting.hpp"

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <memory>

namespace telltale::catcher {

std::vector<std::uint8_t> tls_greeting(const std::string& server_name) {
  const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(SSL_CTX_new(TLS_client_method()),
                                                             SSL_CTX_free);
  if (!context) return {};
  const std::unique_ptr<SSL, void (*)(SSL*)> tls(SSL_new(context.get()), SSL_free);
  BIO* answers = BIO_new(BIO_s_mem());
  BIO* said = BIO_new(BIO_s_mem());
  if (!tls || answers == nullptr || said == nullptr) return {};
  SSL_set_bio(tls.get(), answers, said);  // it owns both
  SSL_set_tlsext_host_name(tls.get(), server_name.c_str());
  SSL_connect(tls.get());  // says its hello, and finds no answer
  std::vector<std::uint8_t> bytes(BIO_ctrl_pending(said));
  if (bytes.empty() || BIO_read(said, bytes.data(), static_cast<int>(bytes.size())) !=
                           static_cast<int>(bytes.size()))
    return {};
  return bytes;
}

}  // namespace telltale::catcher
