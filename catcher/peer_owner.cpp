#include "catcher/peer_owner.hpp"

#include <algorithm>

#include "catcher/socket_owner.hpp"

namespace telltale::catcher {

Result<> PeerOwner::open() {
  auto opened = SocketDiagnostics::open();
  if (!opened) return pass_on(std::move(opened.error()));
  diagnostics_.emplace(std::move(*opened));
  return {};
}

void PeerOwner::walk() {
  const auto begin = Clock::now();
  credit_ = std::min<Clock::duration>(kMostCredit, credit_ + (begin - counted_) / 20);
  counted_ = begin;
  if (credit_ <= Clock::duration::zero()) return;
  owners_ = socket_owners(scene_.processes());
  credit_ -= Clock::now() - begin;
}

PeerProgram PeerOwner::find(std::uint8_t protocol, const Endpoint& peer, const Endpoint& here) {
  if (!diagnostics_) return {};
  const auto inode = diagnostics_->inode_of(protocol, peer, here);
  if (!inode) return {};
  if (*inode == 0) return {0, true, {}};
  if (owners_.count(*inode) == 0) walk();
  const auto owner = owners_.find(*inode);
  if (owner == owners_.end()) return {};
  return {owner->second, false, executable_of(owner->second)};
}

}  // namespace telltale::catcher
