#include "catcher/conversation_stimuli.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "catcher/fetch.hpp"
#include "catcher/serving.hpp"
#include "catcher/tls_greeting.hpp"
#include "catcher/wire/dns_message.hpp"

namespace telltale::catcher {

namespace {

constexpr int kWait = 3'000;  // milliseconds for an answer
constexpr std::uint16_t kQuestion = 0x7e11;

// Connected, or not valid with errno set.
subject::FileDescriptor dial(const std::string& address, const std::string& port, int type) {
  Endpoint endpoint{address, 0};
  std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
  sockaddr_storage to{};
  socklen_t length = 0;
  errno = EINVAL;
  if (!to_address(endpoint, false, to, length)) return {};
  subject::FileDescriptor socket(::socket(to.ss_family, type | SOCK_CLOEXEC, 0));
  if (!socket.valid() || connect(socket.get(), reinterpret_cast<sockaddr*>(&to), length) != 0)
    return {};
  return socket;
}

bool send_whole(const subject::FileDescriptor& socket, wire::Bytes bytes) {
  return ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

// What has come when the peer closes, or `enough` bytes.
std::vector<std::uint8_t> hear(const subject::FileDescriptor& socket, std::size_t enough) {
  std::vector<std::uint8_t> all;
  std::array<std::uint8_t, 4096> part{};
  while (all.size() < enough) {
    pollfd waiting{socket.get(), POLLIN, 0};
    if (poll(&waiting, 1, kWait) <= 0) break;
    const auto bytes = recv(socket.get(), part.data(), part.size(), 0);
    if (bytes <= 0) break;
    all.insert(all.end(), part.begin(), part.begin() + bytes);
  }
  return all;
}

Told ask(const Words& words) {
  const bool tcp = words[1] == "tcp";
  const auto socket = dial(words[2], words[3], tcp ? SOCK_STREAM : SOCK_DGRAM);
  if (!socket.valid()) return failed_with_errno();
  auto message = wire::make_dns_query(kQuestion, words[4], wire::dns_type_of(words[5]));
  if (tcp) message = wire::dns_frame(message);
  if (!send_whole(socket, message)) return failed_with_errno();
  auto answer = hear(socket, tcp ? 2 + 12 : 1);
  if (tcp && answer.size() > 2) answer.erase(answer.begin(), answer.begin() + 2);
  wire::Reader reader(answer);
  if (reader.u16() != kQuestion || answer.size() < 12) return failed_with("no answer");
  const int code = reader.u16() & 0xf;
  return {code == 0 || code == 3, fmt::format("answered {}", code)};
}

// All of it, our side ended, and what comes until the peer has closed.
Told say_and_hear_out(const subject::FileDescriptor& socket, wire::Bytes bytes) {
  if (!send_whole(socket, bytes)) return failed_with_errno();
  shutdown(socket.get(), SHUT_WR);
  hear(socket, 64 * 1024);
  return {true, "said"};
}

Told say(const Words& words) {
  const bool tcp = words[1] == "tcp";
  const auto socket = dial(words[2], words[3], tcp ? SOCK_STREAM : SOCK_DGRAM);
  if (!socket.valid()) return failed_with_errno();
  if (tcp) return say_and_hear_out(socket, wire::as_bytes(words[4]));
  if (!send_whole(socket, wire::as_bytes(words[4]))) return failed_with_errno();
  return {true, "said"};
}

Told hello(const Words& words) {
  const auto greeting = tls_greeting(words[3]);
  if (greeting.empty()) return failed_with("OpenSSL made no hello");
  const auto socket = dial(words[1], words[2], SOCK_STREAM);
  if (!socket.valid()) return failed_with_errno();
  return say_and_hear_out(socket, greeting);
}

}  // namespace

std::string conversation_usage() {
  return "ask udp|tcp ADDRESS PORT NAME TYPE | say tcp|udp ADDRESS PORT TEXT | "
         "hello ADDRESS PORT NAME | fetch URL";
}

std::optional<Told> converse(const Words& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "ask" && words.size() == 6) return ask(words);
  if (what == "say" && words.size() == 5) return say(words);
  if (what == "hello" && words.size() == 4) return hello(words);
  if (what == "fetch" && words.size() == 2) return fetch(words[1]);
  return std::nullopt;
}

}  // namespace telltale::catcher
