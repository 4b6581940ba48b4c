// Whether anything new can be in the kernel's table of TCP sockets: counters that cost some
// microseconds, where a dump of the table costs a microsecond for each of its sockets.
//
// ActiveOpens and PassiveOpens of /proc/net/snmp (RFC 4022) count every connection that is begun or
// taken; "inuse" of /proc/net/sockstat and sockstat6 counts sockets that are bound, listeners too.
// They do not tell a listener that begins in the same moment in which another socket ends.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "evidence/result.hpp"
#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

class OpeningCounter {
 public:
  // Of the network namespace of the calling thread, also when read elsewhere. Where /proc has no
  // such files everything has always changed.
  [[nodiscard]] static OpeningCounter open();

  // Since the last call; the first says true.
  [[nodiscard]] bool changed();

 private:
  using Counts = std::array<std::uint64_t, 4>;  // opened, taken, in use over IPv4 and IPv6

  [[nodiscard]] bool read(Counts& counts);

  subject::FileDescriptor opened_, in_use4_, in_use6_;
  Counts last_{};
  bool known_ = false;
};

}  // namespace telltale::catcher
