#include "catcher/serving.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "catcher/nonce.hpp"
#include "catcher/numeric_address.hpp"

namespace telltale::catcher {

Result<subject::FileDescriptor> duplicate(const SocketSource& source, const std::string& whose) {
  subject::FileDescriptor copy(fcntl(source(), F_DUPFD_CLOEXEC, 0));
  if (!copy.valid() || fcntl(copy.get(), F_SETFL, O_NONBLOCK) != 0)
    return fail(Fault::instrument,
                fmt::format("{} never started: its socket: {}", whose, std::strerror(errno)),
                "raise the limit of open files (ulimit -n)");
  return copy;
}

Result<> ServingThread::start(const FarSide& side, std::function<void(int)> body) {
  stop_ = subject::FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_.valid())
    return fail(Fault::instrument, fmt::format("no eventfd: {}", std::strerror(errno)),
                "raise the limit of open files (ulimit -n)");
  return side.in_world([&]() -> Result<> {
    thread_ = std::thread([this, run = std::move(body)] {
      try {
        run(stop_.get());
      } catch (const std::exception& error) {
        failure_ = error.what();
      }
    });
    return {};
  });
}

void ServingThread::stop() {
  if (!thread_.joinable()) return;
  eventfd_write(stop_.get(), 1);
  thread_.join();
}

std::vector<Endpoint> probes_of(const std::vector<Endpoint>& given, Scene& scene) {
  auto probes = given;
  if (probes.empty())
    probes = {{nonce_address(false), nonce_port()}, {nonce_address(true), nonce_port()}};
  for (const auto& [address, port] : probes) scene.add_control(address, port);
  return probes;
}

Endpoint endpoint_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    return {numeric_address(AF_INET, &four.sin_addr), ntohs(four.sin_port)};
  }
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
  const auto* bytes = six.sin6_addr.s6_addr;
  return {IN6_IS_ADDR_V4MAPPED(&six.sin6_addr) ? numeric_address(AF_INET, bytes + 12)
                                               : numeric_address(AF_INET6, bytes),
          ntohs(six.sin6_port)};
}

bool to_address(const Endpoint& endpoint, bool mapped, sockaddr_storage& address,
                socklen_t& length) {
  address = {};
  auto& four = reinterpret_cast<sockaddr_in&>(address);
  auto& six = reinterpret_cast<sockaddr_in6&>(address);
  const bool is_six = endpoint.address.find(':') != std::string::npos;
  if (!is_six && !mapped) {
    four.sin_family = AF_INET;
    four.sin_port = htons(endpoint.port);
    length = sizeof four;
    return inet_pton(AF_INET, endpoint.address.c_str(), &four.sin_addr) == 1;
  }
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(endpoint.port);
  length = sizeof six;
  const auto text = is_six ? endpoint.address : "::ffff:" + endpoint.address;
  return inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1;
}

bool receive(int socket, std::span<std::uint8_t> buffer, Datagram& datagram) {
  alignas(cmsghdr) std::array<char, 256> control{};
  iovec part{buffer.data(), buffer.size()};
  msghdr message{};
  message.msg_name = &datagram.from;
  message.msg_namelen = sizeof datagram.from;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t size = 0;
  do size = recvmsg(socket, &message, MSG_DONTWAIT);
  while (size < 0 && (errno == EINTR || errno == ECONNREFUSED));
  if (size < 0) return false;
  datagram.size = static_cast<std::size_t>(size);
  datagram.from_length = message.msg_namelen;
  datagram.to = {};
  for (auto* part_of = CMSG_FIRSTHDR(&message); part_of != nullptr;
       part_of = CMSG_NXTHDR(&message, part_of)) {
    if (part_of->cmsg_level == SOL_IP && part_of->cmsg_type == IP_ORIGDSTADDR)
      std::memcpy(&datagram.to, CMSG_DATA(part_of), sizeof(sockaddr_in));
    if (part_of->cmsg_level == SOL_IPV6 && part_of->cmsg_type == IPV6_ORIGDSTADDR)
      std::memcpy(&datagram.to, CMSG_DATA(part_of), sizeof(sockaddr_in6));
  }
  return true;
}

}  // namespace telltale::catcher
