#include "catcher/tls/java_trust_store.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <array>
#include <cstdint>
#include <vector>

#include "catcher/tls/openssl_owned.hpp"

namespace telltale::catcher {

namespace {

constexpr std::uint32_t kMagic = 0xfeedfeed, kVersion = 2, kTrusted = 2;
constexpr std::string_view kWhitener = "Mighty Aphrodite";  // part of the digest, by its authors

void append_number(std::string& bytes, std::uint64_t number, int octets) {
  for (int shift = 8 * (octets - 1); shift >= 0; shift -= 8)
    bytes += static_cast<char>((number >> shift) & 0xff);
}

void append_java_text(std::string& bytes, std::string_view text) {  // ASCII, so UTF-8 is Java's own
  append_number(bytes, text.size(), 2);
  bytes += text;
}

std::vector<std::string> certificates_of(std::string_view pem) {
  std::vector<std::string> all;
  const Owned<BIO> source(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  char *name = nullptr, *header = nullptr;
  unsigned char* data = nullptr;
  long size = 0;
  while (source && PEM_read_bio(source.get(), &name, &header, &data, &size) == 1) {
    if (std::string_view(name) == PEM_STRING_X509)
      all.emplace_back(reinterpret_cast<char*>(data), static_cast<std::size_t>(size));
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
  }
  ERR_clear_error();  // "no start line": the end
  return all;
}

std::string digest(const std::string& content) {
  std::string salted;
  for (const char character : std::string_view(kJavaStorePassword)) {
    salted += '\0';
    salted += character;
  }
  salted += std::string(kWhitener) + content;
  std::array<unsigned char, 20> sum{};
  EVP_Digest(salted.data(), salted.size(), sum.data(), nullptr, EVP_sha1(), nullptr);
  return {sum.begin(), sum.end()};
}

}  // namespace

std::string java_trust_store(std::string_view pem) {
  const auto certificates = certificates_of(pem);
  std::string store;
  append_number(store, kMagic, 4);
  append_number(store, kVersion, 4);
  append_number(store, certificates.size(), 4);
  for (std::size_t i = 0; i < certificates.size(); ++i) {
    append_number(store, kTrusted, 4);
    append_java_text(store, fmt::format("authority-{}", i));
    append_number(store, 0, 8);  // when it was added: not said
    append_java_text(store, "X.509");
    append_number(store, certificates[i].size(), 4);
    store += certificates[i];
  }
  return store + digest(store);
}

}  // namespace telltale::catcher
