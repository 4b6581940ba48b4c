// The tap's capture never hands a packet over.
extern "C" int pcap_dispatch(void*, int, void (*)(unsigned char*, const void*, const void*),
                             unsigned char*) {
  return 0;
}
