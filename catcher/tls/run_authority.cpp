#include "catcher/tls/run_authority.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/asn1.h>
#include <openssl/bn.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <map>

#include "catcher/tls/openssl_owned.hpp"

namespace telltale::catcher {

namespace {

constexpr long kDay = 24L * 60 * 60;
constexpr long kBefore = -kDay;               // a subject whose clock is behind accepts it too
constexpr long kAfter = 7 * kDay;             // no run is longer
constexpr std::size_t kCommonNameLimit = 64;  // X.520's ub-common-name
constexpr int kSerialBits = 127;              // RFC 5280 section 4.1.2.2: at most 20 octets

std::string pem_of(X509* certificate) {
  const Owned<BIO> memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_X509(memory.get(), certificate) != 1) return {};
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

bool set_serial(X509* certificate) {
  const std::unique_ptr<BIGNUM, decltype(&BN_free)> number(BN_new(), BN_free);
  return number && BN_rand(number.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool set_common_name(X509* certificate, std::string_view name) {
  return X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(name.data()),
                                    static_cast<int>(name.size()), -1, 0) == 1;
}

// `value` is ours, never the subject's: it is a little language.
bool add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION> extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

Owned<X509> begin_certificate(EVP_PKEY* key) {
  Owned<X509> certificate(X509_new());
  const bool begun = certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
                     set_serial(certificate.get()) &&
                     X509_gmtime_adj(X509_getm_notBefore(certificate.get()), kBefore) != nullptr &&
                     X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kAfter) != nullptr &&
                     X509_set_pubkey(certificate.get(), key) == 1;
  return begun ? std::move(certificate) : nullptr;
}

Owned<X509> make_root(EVP_PKEY* key) {
  auto root = begin_certificate(key);
  auto* own = root.get();
  const bool made = root && set_common_name(own, RunAuthority::kName) &&
                    X509_set_issuer_name(own, X509_get_subject_name(own)) == 1 &&
                    add_extension(own, own, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                    add_extension(own, own, NID_key_usage, "critical,keyCertSign,cRLSign") &&
                    add_extension(own, own, NID_subject_key_identifier, "hash") &&
                    X509_sign(own, key, EVP_sha256()) != 0;
  return made ? std::move(root) : nullptr;
}

// The octets of a numeric address; empty for a name.
std::string address_octets(const std::string& name) {
  std::array<char, 16> octets{};
  if (inet_pton(AF_INET, name.c_str(), octets.data()) == 1) return {octets.data(), 4};
  if (inet_pton(AF_INET6, name.c_str(), octets.data()) == 1) return {octets.data(), 16};
  return {};
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char octet) { return octet > 0x20 && octet < 0x7f; });
}

Owned<GENERAL_NAME> general_name(const std::string& name) {
  const auto octets = address_octets(name);
  const auto& value = octets.empty() ? name : octets;
  const int kind = octets.empty() ? GEN_DNS : GEN_IPADD;
  auto* text = ASN1_STRING_type_new(octets.empty() ? V_ASN1_IA5STRING : V_ASN1_OCTET_STRING);
  Owned<GENERAL_NAME> made(GENERAL_NAME_new());
  if (text == nullptr || !made ||
      ASN1_STRING_set(text, value.data(), static_cast<int>(value.size())) != 1)
    return nullptr;
  GENERAL_NAME_set0_value(made.get(), kind, text);
  return made;
}

bool add_alternative_name(X509* certificate, const std::string& name) {
  const Owned<GENERAL_NAMES> names(GENERAL_NAMES_new());
  auto one = general_name(name);
  if (!names || !one || sk_GENERAL_NAME_push(names.get(), one.get()) == 0) return false;
  [[maybe_unused]] auto* owned_by_names = one.release();
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT) ==
         1;
}

Owned<X509> make_leaf(const std::string& name, EVP_PKEY* key, X509* root, EVP_PKEY* root_key) {
  auto leaf = begin_certificate(key);
  auto* own = leaf.get();
  const bool made = leaf && (name.size() > kCommonNameLimit || set_common_name(own, name)) &&
                    X509_set_issuer_name(own, X509_get_subject_name(root)) == 1 &&
                    add_extension(own, root, NID_basic_constraints, "critical,CA:FALSE") &&
                    add_extension(own, root, NID_key_usage, "critical,digitalSignature") &&
                    add_extension(own, root, NID_ext_key_usage, "serverAuth") &&
                    add_extension(own, root, NID_subject_key_identifier, "hash") &&
                    add_extension(own, root, NID_authority_key_identifier, "keyid:always") &&
                    add_alternative_name(own, name) && X509_sign(own, root_key, EVP_sha256()) != 0;
  return made ? std::move(leaf) : nullptr;
}

}  // namespace

struct RunAuthority::Material {
  Owned<EVP_PKEY> root_key, leaf_key;
  Owned<X509> root;
  std::string pem, hashed_name;
  std::map<std::string, Owned<X509>> leaves;
  Owned<X509> last;  // one that is not kept

  X509* leaf(const std::string& name) {
    if (!is_name(name)) return nullptr;
    if (const auto known = leaves.find(name); known != leaves.end()) return known->second.get();
    auto made = make_leaf(name, leaf_key.get(), root.get(), root_key.get());
    auto& place = leaves.size() < kLeavesKept ? leaves[name] : last;
    place = std::move(made);
    return place.get();
  }
};

RunAuthority::RunAuthority(std::unique_ptr<Material> material) : material_(std::move(material)) {}
RunAuthority::~RunAuthority() = default;

Result<std::unique_ptr<RunAuthority>> RunAuthority::make() {
  auto made = std::make_unique<Material>();
  made->root_key.reset(EVP_EC_gen("P-256"));
  made->leaf_key.reset(EVP_EC_gen("P-256"));
  if (made->root_key && made->leaf_key) made->root = make_root(made->root_key.get());
  if (!made->root)
    return fail(Fault::instrument, "the authority of the run could not be made: OpenSSL refused",
                "see whether `openssl ecparam -name prime256v1 -genkey` works on this machine");
  made->pem = pem_of(made->root.get());
  made->hashed_name = fmt::format("{:08x}.0", X509_subject_name_hash(made->root.get()));
  return std::unique_ptr<RunAuthority>(new RunAuthority(std::move(made)));
}

const std::string& RunAuthority::pem() const {
  return material_->pem;
}

const std::string& RunAuthority::hashed_name() const {
  return material_->hashed_name;
}

bool RunAuthority::certify(ssl_st* session, const std::string& name) {
  auto* leaf = material_->leaf(name);
  return leaf != nullptr && SSL_use_certificate(session, leaf) == 1 &&
         SSL_use_PrivateKey(session, material_->leaf_key.get()) == 1;
}

std::string RunAuthority::leaf_pem(const std::string& name) {
  auto* leaf = material_->leaf(name);
  return leaf == nullptr ? "" : pem_of(leaf);
}

}  // namespace telltale::catcher
