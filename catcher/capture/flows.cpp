#include "catcher/capture/flows.hpp"

namespace telltale::catcher {

void FlowTable::add(const Frame& frame, PacketTime at, std::uint64_t bytes) {
  if (frame.housekeeping) {
    ++housekeeping_;
    return;
  }
  auto key = frame.flow;
  auto flow = flows_.find(key);
  if (flow == flows_.end() && flows_.size() >= kept_) {
    key.source_port = 0;
    flow = flows_.find(key);
  }
  if (flow == flows_.end()) {
    if (flows_.size() >= 2 * kept_) {
      ++lost_;
      return;
    }
    flow = flows_.emplace(key, FlowTally{at, at}).first;
  }
  auto& tally = flow->second;
  tally.last = at;
  ++tally.packets;
  tally.bytes += bytes;
  if (frame.opens) ++tally.opened;
}

}  // namespace telltale::catcher
