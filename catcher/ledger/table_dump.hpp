// What the sets and counters of one nftables table hold, asked of the kernel itself: dumps of
// NFT_MSG_GETSETELEM and NFT_MSG_GETOBJ over nfnetlink (linux/netfilter/nf_tables.h).
//
// libnftables lists through its cache of everything, as text: 10,000 destinations took it 0.2 s and
// 50 MB, six times over, where this takes some 10 ms and nothing that stays.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "evidence/result.hpp"

namespace telltale::catcher {

struct CountedElement {
  const std::uint8_t* key = nullptr;  // the parts of a concatenation, each padded to 4 bytes
  std::size_t size = 0;               // bytes of the key
  std::uint64_t packets = 0, bytes = 0;
};

class TableDump {
 public:
  // Of the netdev family. Call it in the table's network namespace; the rest from any thread, one
  // at a time. Fault::instrument with the kernel's answer, here and below.
  [[nodiscard]] static Result<TableDump> open(std::string table);
  TableDump(TableDump&&) noexcept;
  TableDump& operator=(TableDump&&) noexcept;
  ~TableDump();

  // Of each named counter, its packets.
  [[nodiscard]] Result<std::map<std::string, std::uint64_t>> counters() const;
  // Each element with a counter. One that is moved while the set grows may come twice.
  [[nodiscard]] Result<> visit(const std::string& set,
                               const std::function<void(const CountedElement&)>& each) const;

 private:
  struct State;
  explicit TableDump(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace telltale::catcher
