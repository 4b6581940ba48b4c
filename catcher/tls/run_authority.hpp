// The certificate authority of one run: it vouches for every server that a subject may dial, so
// that a pass with --read-tls can answer in its place.
//
// Theory of operation. Both keys (P-256, RFC 5480) are made when the run begins, live in the memory
// of the tool and nowhere else, and end with it: outside the world nobody ever trusts the
// authority, and nobody can use it afterwards. Its certificate is given to the subject (trust.hpp).
// A leaf is minted for each name that a ClientHello asks for (RFC 5280, RFC 6125), valid for a
// week. All leaves share one key.
//
// A client that takes no ECDSA certificate (none since TLS 1.2 by default) refuses: told as a
// failed handshake, not as pinning.
#pragma once

#include <memory>
#include <string>

#include "evidence/result.hpp"

struct ssl_st;

namespace telltale::catcher {

class RunAuthority {
 public:
  static constexpr auto kName = "Telltale authority of one run";  // subject of its certificate
  static constexpr std::size_t kLeavesKept = 4096;  // a name that comes again has the same leaf

  // Fault::instrument when OpenSSL does not give a key or a certificate.
  [[nodiscard]] static Result<std::unique_ptr<RunAuthority>> make();
  ~RunAuthority();
  RunAuthority(const RunAuthority&) = delete;
  RunAuthority& operator=(const RunAuthority&) = delete;

  [[nodiscard]] const std::string& pem() const;  // its certificate
  // The name of its file in a folder that OpenSSL looks certificates up in: "5f3c1a7e.0".
  [[nodiscard]] const std::string& hashed_name() const;

  // Gives a server's session the leaf of `name`: a host name, or a numeric address. From one
  // thread. False when there is none: an empty name, or bytes that are no name.
  [[nodiscard]] bool certify(ssl_st* session, const std::string& name);
  // That leaf, PEM; empty likewise.
  [[nodiscard]] std::string leaf_pem(const std::string& name);

 private:
  struct Material;
  explicit RunAuthority(std::unique_ptr<Material> material);
  std::unique_ptr<Material> material_;
};

}  // namespace telltale::catcher
