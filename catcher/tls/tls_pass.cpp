#include "catcher/tls/tls_pass.hpp"

namespace telltale::catcher {

Result<> TlsPass::begin() {
  auto authority = RunAuthority::make();
  if (!authority) return pass_on(std::move(authority.error()));
  authority_ = std::move(*authority);
  auto terminator = TlsTerminator::make(*authority_);
  if (!terminator) return pass_on(std::move(terminator.error()));
  terminator_ = std::move(*terminator);
  trust_ = std::make_unique<RunTrust>(authority_->pem(), authority_->hashed_name());
  auto laid = in_mounts_([this] { return trust_->lay(); });
  on_ = laid.has_value();
  if (laid) return {};
  [[maybe_unused]] const auto undone = end();
  return laid;
}

Result<> TlsPass::end() {
  on_ = false;
  if (!trust_) return {};
  return in_mounts_([this]() -> Result<> {
    trust_->lift();
    return {};
  });
}

std::unique_ptr<SecuredConnection> TlsPass::secure(const std::string& dialled, wire::Bytes hello) {
  if (!on_) return nullptr;
  return std::make_unique<SecuredConnection>(*terminator_, dialled, hello);
}

}  // namespace telltale::catcher
