#include "catcher/conversation_stimuli.hpp"

#include <curl/curl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "catcher/serving.hpp"
#include "catcher/wire/dns_message.hpp"

namespace telltale::catcher {

namespace {

constexpr int kSaid = 0, kNotSaid = 1, kNoSuchAct = -1;
constexpr int kWait = 3'000;  // milliseconds for an answer
constexpr std::uint16_t kQuestion = 0x7e11;

int not_said(const std::string& why) {
  fmt::print("failed {}\n", why);
  return kNotSaid;
}

int not_said_errno() {
  return not_said(std::strerror(errno));
}

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

int ask(const std::vector<std::string>& words) {
  const bool tcp = words[1] == "tcp";
  const auto socket = dial(words[2], words[3], tcp ? SOCK_STREAM : SOCK_DGRAM);
  if (!socket.valid()) return not_said_errno();
  auto message = wire::make_dns_query(kQuestion, words[4], wire::dns_type_of(words[5]));
  if (tcp) message = wire::dns_frame(message);
  if (!send_whole(socket, message)) return not_said_errno();
  auto answer = hear(socket, tcp ? 2 + 12 : 1);
  if (tcp && answer.size() > 2) answer.erase(answer.begin(), answer.begin() + 2);
  wire::Reader reader(answer);
  if (reader.u16() != kQuestion || answer.size() < 12) return not_said("no answer");
  const int code = reader.u16() & 0xf;
  fmt::print("answered {}\n", code);
  return code == 0 || code == 3 ? kSaid : kNotSaid;
}

int say(const std::vector<std::string>& words) {
  const bool tcp = words[1] == "tcp";
  const auto socket = dial(words[2], words[3], tcp ? SOCK_STREAM : SOCK_DGRAM);
  if (!socket.valid() || !send_whole(socket, wire::as_bytes(words[4]))) return not_said_errno();
  if (tcp) {
    shutdown(socket.get(), SHUT_WR);
    hear(socket, 64 * 1024);
  }
  fmt::print("said\n");
  return kSaid;
}

int hello(const std::vector<std::string>& words) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) return not_said("libcurl did not start");
  const bool six = words[1].find(':') != std::string::npos;
  const auto address = six ? "[" + words[1] + "]" : words[1];
  const auto way = fmt::format("::{}:{}", address, words[2]);
  curl_slist* ways = curl_slist_append(nullptr, way.c_str());
  const auto url = "https://" + words[3] + "/";
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_CONNECT_TO, ways);
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, 1'500L);
  const auto code = curl_easy_perform(curl.get());
  long port = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_LOCAL_PORT, &port);
  curl_slist_free_all(ways);
  // It cannot end well: nobody answers the hello. But it was connected.
  if (code == CURLE_COULDNT_CONNECT || port == 0) return not_said(curl_easy_strerror(code));
  fmt::print("said\n");
  return kSaid;
}

}  // namespace

std::string conversation_usage() {
  return "ask udp|tcp ADDRESS PORT NAME TYPE | say tcp|udp ADDRESS PORT TEXT | "
         "hello ADDRESS PORT NAME";
}

int run_conversation(const std::vector<std::string>& words) {
  const std::string what = words.empty() ? "" : words[0];
  if (what == "ask" && words.size() == 6) return ask(words);
  if (what == "say" && words.size() == 5) return say(words);
  if (what == "hello" && words.size() == 4) return hello(words);
  return kNoSuchAct;
}

}  // namespace telltale::catcher
