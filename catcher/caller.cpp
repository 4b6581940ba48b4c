#include "catcher/caller.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "catcher/conversation_stimuli.hpp"
#include "catcher/stimuli.hpp"

namespace telltale::catcher {

namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;

std::size_t discard(char*, std::size_t size, std::size_t count, void*) {
  return size * count;
}

int failed(const std::string& why) {
  fmt::print("failed {}\n", why);
  return kFailed;
}

int fetch(const char* url) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) return failed("libcurl did not start");
  curl_easy_setopt(curl.get(), CURLOPT_URL, url);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, 5'000L);
  const auto code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) return failed(curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  fmt::print("fetched {}\n", status);
  return kDone;
}

bool to_number(const char* text, int& number) {
  const auto* end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, number);
  return parsed.ec == std::errc{} && parsed.ptr == end && number >= 0;
}

// A connected socket, or -1 with errno set. Loopback, so connecting does not block for long.
int connect_to(const char* address, int port) {
  sockaddr_storage storage{};
  socklen_t length = 0;
  if (auto* four = reinterpret_cast<sockaddr_in*>(&storage);
      inet_pton(AF_INET, address, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(static_cast<std::uint16_t>(port));
    length = sizeof *four;
  } else if (auto* six = reinterpret_cast<sockaddr_in6*>(&storage);
             inet_pton(AF_INET6, address, &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(static_cast<std::uint16_t>(port));
    length = sizeof *six;
  } else {
    errno = EINVAL;
    return -1;
  }
  const int fd = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&storage), length) == 0) return fd;
  const int error = errno;
  if (fd >= 0) close(fd);
  errno = error;
  return -1;
}

int local_port(int fd) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &length) != 0) return 0;
  return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

// The peer closes when it has seen enough.
void wait_for_the_peer(int fd) {
  std::array<char, 64> buffer{};
  while (read(fd, buffer.data(), buffer.size()) > 0) {
  }
}

int connect_and_burst(const char* address, int port, int count, int milliseconds) {
  const int held = connect_to(address, port);
  if (held < 0) return failed(std::strerror(errno));
  fmt::print("held {}\n", local_port(held));
  std::fflush(stdout);
  wait_for_the_peer(held);
  close(held);
  for (int i = 0; i < count; ++i) {
    const int fd = connect_to(address, port);
    if (fd < 0) return failed(std::strerror(errno));
    poll(nullptr, 0, milliseconds);
    fmt::print("{}\n", local_port(fd));
    close(fd);
  }
  return kDone;
}

int enter_network() {
  if (setns(STDIN_FILENO, CLONE_NEWNET) != 0) return failed(std::strerror(errno));
  fmt::print("entered\n");
  return kDone;
}

}  // namespace

int run_caller(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  int port = 0;
  int count = 0;
  int milliseconds = 0;
  if (what == "enter-network" && argc == 2) return enter_network();
  if (what == "fetch" && argc == 3) return fetch(argv[2]);
  if (what == "connect" && argc == 6 && to_number(argv[3], port) && to_number(argv[4], count) &&
      to_number(argv[5], milliseconds))
    return connect_and_burst(argv[2], port, count, milliseconds);
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (const int status = run_stimulus(words); status >= 0) return status;
  if (const int status = run_conversation(words); status >= 0) return status;
  fmt::print(stderr, "telltale-caller: fetch URL | connect ADDRESS PORT N MS | {} | {}\n",
             stimuli_usage(), conversation_usage());
  return kUsage;
}

}  // namespace telltale::catcher
