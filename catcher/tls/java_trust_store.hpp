// A trust store of Java's own format, JKS, made of certificates in PEM.
//
// Java reads no PEM. Its PKCS #12 marks what is trusted by an attribute of its own, which OpenSSL
// does not write; JKS is simple, and every Java reads it. There is no published standard; the form
// is that of sun.security.provider.JavaKeyStore: a header, one entry a certificate, and a SHA-1
// digest over password and content that protects nothing and must be right.
#pragma once

#include <string>
#include <string_view>

namespace telltale::catcher {

inline constexpr auto kJavaStorePassword = "changeit";  // that of every cacerts

// Certificates that cannot be read are left out.
[[nodiscard]] std::string java_trust_store(std::string_view pem);

}  // namespace telltale::catcher
