// The pass of a run in which TLS is read: from begin() to end(), the subject trusts the authority
// of the run and the answerer answers in every server's place.
//
// Giving a program another authority changes it, so this is a launch of its own, labelled as such.
// begin() and end() are the lane's; secure() is the answerer's, on its thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "catcher/tls/run_authority.hpp"
#include "catcher/tls/secured_connection.hpp"
#include "catcher/tls/trust.hpp"
#include "catcher/within.hpp"

namespace telltale::catcher {

class TlsPass {
 public:
  // `in_mounts` enters the view that the subject has of the files (World::in_mounts).
  explicit TlsPass(Within in_mounts) : in_mounts_(std::move(in_mounts)) {}

  // Once a run. Fault::instrument when the authority cannot be made or given.
  [[nodiscard]] Result<> begin();
  // What is started from now on trusts it no more.
  [[nodiscard]] Result<> end();
  [[nodiscard]] bool on() const { return on_; }
  [[nodiscard]] const std::string& authority() const { return authority_->pem(); }

  // nullptr while TLS is not read.
  [[nodiscard]] std::unique_ptr<SecuredConnection> secure(const std::string& dialled,
                                                          wire::Bytes hello);

 private:
  Within in_mounts_;
  std::unique_ptr<RunAuthority> authority_;
  std::unique_ptr<TlsTerminator> terminator_;
  std::unique_ptr<RunTrust> trust_;
  std::atomic<bool> on_ = false;
};

}  // namespace telltale::catcher
