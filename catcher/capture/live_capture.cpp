#include "catcher/capture/live_capture.hpp"

#include <fmt/core.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "subject/file_descriptor.hpp"

namespace telltale::catcher {

Result<HardwareAddress> hardware_of(const std::string& interface) {
  const subject::FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strncpy(request.ifr_name, interface.c_str(), sizeof request.ifr_name - 1);
  if (ioctl(socket.get(), SIOCGIFHWADDR, &request) != 0)
    return fail(Fault::instrument,
                fmt::format("the tap found no interface {}: {}", interface, std::strerror(errno)));
  HardwareAddress address{};
  std::memcpy(address.data(), request.ifr_hwaddr.sa_data, address.size());
  return address;
}

Result<CaptureHandle> open_capture(const std::string& interface, int snaplen, int ring) {
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  CaptureHandle handle(pcap_create(interface.c_str(), error.data()));
  if (!handle)
    return fail(Fault::instrument, fmt::format("the tap did not start: {}", error.data()));
  pcap_set_snaplen(handle.get(), snaplen);
  pcap_set_buffer_size(handle.get(), ring);
  pcap_set_timeout(handle.get(), kTapHandOverMs);
  pcap_set_promisc(handle.get(), 1);  // a frame to another hardware address has left, too
  pcap_set_tstamp_precision(handle.get(), PCAP_TSTAMP_PRECISION_NANO);
  if (const int status = pcap_activate(handle.get()); status < 0)
    return fail(Fault::instrument,
                fmt::format("the tap on {} did not start: {} ({})", interface,
                            pcap_statustostr(status), pcap_geterr(handle.get())),
                "it needs CAP_NET_RAW over that network: root, or a user namespace");
  if (pcap_datalink(handle.get()) != DLT_EN10MB)
    return fail(Fault::instrument, fmt::format("{} is no Ethernet interface", interface));
  if (pcap_setnonblock(handle.get(), 1, error.data()) != 0)
    return fail(Fault::instrument, fmt::format("the tap did not start: {}", error.data()));
  return handle;
}

}  // namespace telltale::catcher
