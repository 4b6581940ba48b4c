// A subject that does as it is told: every argument is one act, done in order.
//
//   print:TEXT       a line on standard output          fail:TEXT   one on standard error
//   flood:BYTES      that many bytes of output          touch:FILE  makes an empty file
//   ignore:N         ignores signal N                   die:N       raises signal N
//   exit:N           ends with that status              pause       waits for a signal, for ever
//   sleep:MS         milliseconds                        await:FILE  until it is there
//   tcp:PORT udp:PORT unix:PATH     listens (127.0.0.1), and goes on
//   notify:TEXT      sends a datagram to $NOTIFY_SOCKET, as sd_notify(3) does
//   fork             a child of the same session that pauses; the standard streams stay open in it
//   detach           a grandchild with a session of its own (setsid, double fork) that pauses
//   detach-stopped   the same, stopped by SIGSTOP; detach-deaf: the same, ignoring SIGTERM
//   daemon           goes on as a detached grandchild; the first process exits with 0
//   ids fds env mask folder    prints what it was given
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

[[noreturn]] void pause_for_ever() {
  for (;;) pause();
}

void must(bool done, const char* what) {
  if (done) return;
  std::perror(what);
  std::exit(90);
}

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t done = write(fd, text.data() + at, text.size() - at);
    if (done < 0) std::exit(91);
    at += static_cast<std::size_t>(done);
  }
}

void print(const std::string& text) {
  write_all(STDOUT_FILENO, text + "\n");
}

void flood(unsigned long long bytes) {
  const std::string line(65536, 'x');
  for (; bytes > 0; bytes -= std::min<unsigned long long>(bytes, line.size()))
    write_all(STDOUT_FILENO, line.substr(0, std::min<unsigned long long>(bytes, line.size())));
}

void listen_on_port(int type, unsigned long port) {
  const int fd = socket(AF_INET, type, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  must(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
  if (type == SOCK_STREAM) must(listen(fd, 8) == 0, "listen");
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  must(path.size() < sizeof address.sun_path, "path");
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

void listen_on_path(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = unix_address(path);
  must(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "bind");
  must(listen(fd, 8) == 0, "listen");
}

void notify(const std::string& text) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  must(path != nullptr, "NOTIFY_SOCKET");
  const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  const sockaddr_un address = unix_address(path);
  must(sendto(fd, text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&address),
              sizeof address) >= 0,
       "sendto");
  close(fd);
}

void await_file(const std::string& path) {
  while (access(path.c_str(), F_OK) != 0) usleep(1000);
}

// Returns in the grandchild only when `follow` is set, else in the first process only.
void detach(bool follow, const std::function<void()>& before_pause) {
  const int first = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  must(first >= 0, "pidfd_open");
  int ready[2];
  must(pipe(ready) == 0, "pipe");
  if (const pid_t child = fork(); child != 0) {
    char byte = 0;
    close(ready[1]);
    must(read(ready[0], &byte, 1) == 1, "detach");
    if (follow) _exit(0);
    close(first);
    return;
  }
  setsid();
  if (fork() != 0) _exit(0);
  write_all(ready[1], "x");
  if (follow) {  // what it does next comes after the first process's end
    pollfd ended{first, POLLIN, 0};
    must(poll(&ended, 1, -1) == 1, "poll");
  }
  close(first);
  if (follow) return;
  before_pause();
  pause_for_ever();
}

void print_descriptors() {
  DIR* folder = opendir("/proc/self/fd");
  std::string line = "fds";
  while (const dirent* entry = readdir(folder))
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != dirfd(folder))
      line += std::string(" ") + entry->d_name;
  closedir(folder);
  print(line);
}

void print_ids() {
  gid_t groups[64];
  const int count = getgroups(64, groups);
  std::string line = "uid " + std::to_string(getuid()) + " gid " + std::to_string(getgid()) +
                     " own-session " + (getsid(0) == getpid() ? "yes" : "no") + " groups";
  for (int index = 0; index < count; ++index) line += " " + std::to_string(groups[index]);
  print(line);
}

void print_mask() {
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  std::string line = "blocked";
  for (int number = 1; number < 32; ++number)
    if (sigismember(&blocked, number) == 1) line += " " + std::to_string(number);
  line += " ignored";
  for (int number = 1; number < 32; ++number) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) line += " " + std::to_string(number);
  }
  print(line);
}

void print_folder() {
  char path[4096];
  must(getcwd(path, sizeof path) != nullptr, "getcwd");
  print(std::string("folder ") + path);
}

void print_environment() {
  for (char** variable = environ; *variable != nullptr; ++variable) print(*variable);
}

using Act = std::function<void(const std::string&)>;

const std::map<std::string, Act> kActs = {
    {"print", [](const std::string& text) { print(text); }},
    {"fail", [](const std::string& text) { write_all(STDERR_FILENO, text + "\n"); }},
    {"flood", [](const std::string& text) { flood(std::stoull(text)); }},
    {"touch", [](const std::string& text) { close(creat(text.c_str(), 0600)); }},
    {"ignore", [](const std::string& text) { std::signal(std::stoi(text), SIG_IGN); }},
    {"die", [](const std::string& text) { raise(std::stoi(text)); }},
    {"exit", [](const std::string& text) { std::exit(std::stoi(text)); }},
    {"pause", [](const std::string&) { pause_for_ever(); }},
    {"sleep",
     [](const std::string& text) { usleep(1000U * static_cast<useconds_t>(std::stoul(text))); }},
    {"tcp", [](const std::string& text) { listen_on_port(SOCK_STREAM, std::stoul(text)); }},
    {"udp", [](const std::string& text) { listen_on_port(SOCK_DGRAM, std::stoul(text)); }},
    {"await", await_file},
    {"unix", listen_on_path},
    {"notify", notify},
    {"fork",
     [](const std::string&) {
       if (fork() == 0) pause_for_ever();
     }},
    {"detach", [](const std::string&) { detach(false, [] {}); }},
    {"detach-stopped", [](const std::string&) { detach(false, [] { raise(SIGSTOP); }); }},
    {"detach-deaf",
     [](const std::string&) { detach(false, [] { std::signal(SIGTERM, SIG_IGN); }); }},
    {"daemon", [](const std::string&) { detach(true, [] {}); }},
    {"ids", [](const std::string&) { print_ids(); }},
    {"fds", [](const std::string&) { print_descriptors(); }},
    {"env", [](const std::string&) { print_environment(); }},
    {"mask", [](const std::string&) { print_mask(); }},
    {"folder", [](const std::string&) { print_folder(); }},
};

}  // namespace

int main(int argc, char** argv) {
  for (int index = 1; index < argc; ++index) {
    const std::string act = argv[index];
    const std::size_t colon = act.find(':');
    const auto found = kActs.find(act.substr(0, colon));
    if (found == kActs.end()) {
      std::fprintf(stderr, "unknown act: %s\n", act.c_str());
      return 92;
    }
    found->second(colon == std::string::npos ? "" : act.substr(colon + 1));
  }
  return 0;
}
