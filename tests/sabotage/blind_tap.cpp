// Packets are captured and counted, and none of them reaches the tap.
#include <pcap/pcap.h>

#include "preloaded.hpp"

extern "C" int pcap_dispatch(pcap_t* handle, int count, pcap_handler, unsigned char* user) {
  using Dispatch = int (*)(pcap_t*, int, pcap_handler, unsigned char*);
  const pcap_handler dropped = [](unsigned char*, const pcap_pkthdr*, const unsigned char*) {};
  return next_function<Dispatch>("pcap_dispatch")(handle, count, dropped, user);
}
