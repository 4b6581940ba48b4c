#include "catcher/capture/flows.hpp"

#include <netinet/in.h>

#include <utility>

namespace telltale::catcher {

void FlowTable::add(const Frame& frame, PacketTime at, std::uint64_t bytes) {
  if (frame.housekeeping) {
    ++housekeeping_;
    return;
  }
  if (last_ == nullptr || !(last_key_ == frame.flow)) {
    last_key_ = frame.flow;
    last_ = entry_of(frame.flow, at);
  }
  if (last_ == nullptr) {
    ++lost_;
    return;
  }
  auto& tally = last_->second;
  tally.last = at;
  ++tally.packets;
  tally.bytes += bytes;
  if (frame.opens) ++tally.opened;
}

FlowTable::Map::value_type* FlowTable::entry_of(FlowKey key, PacketTime at) {
  auto flow = flows_.find(key);
  if (flow == flows_.end() && flows_.size() >= kept_) {
    key.source_port = 0;
    flow = flows_.find(key);
  }
  if (flow == flows_.end() && flows_.size() < 2 * kept_)
    flow = flows_.emplace(key, FlowTally{at, at}).first;
  return flow == flows_.end() ? nullptr : &*flow;
}

std::string flow_kind(const FlowKey& flow, const FlowTally& tally) {
  if (flow.version == 0) return "not IP";
  if (flow.version == 6 && flow.destination[0] == 0xff) return "multicast";
  if (flow.version == 4 && (flow.destination[0] & 0xf0) == 0xe0) return "multicast";
  if (flow.version == 4 && flow.host() == "255.255.255.255") return "broadcast";
  if (flow.protocol == IPPROTO_TCP && tally.opened == 0) return "no handshake";
  return {};
}

FlowKey reversed(FlowKey flow) {
  std::swap(flow.source, flow.destination);
  std::swap(flow.source_port, flow.destination_port);
  return flow;
}

}  // namespace telltale::catcher
