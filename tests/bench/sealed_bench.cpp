// What the sealed world's observers cost the subject, each figure in pairs within one run:
//
//   CPU time a request takes of a server, all default observers on / none (HTTP keep-alive, redis
//   GET): two servers, one in each of two worlds, asked in turn
//   how many connections a program makes, connects, says a byte and closes: observers on / none,
//   with the witness and without
//
// "None" is the same world, with a server in the observers' place that accepts each connection,
// reads what is said and closes.
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench.hpp"
#include "catcher/watch.hpp"
#include "catcher/world/sealed_enclosure.hpp"
#include "subject/descendants.hpp"
#include "subject/scratch.hpp"

namespace {

using namespace telltale;
namespace fs = std::filesystem;

constexpr int kRequestPairs = 21;
constexpr int kRequests = 4'000;
constexpr int kLoopPairs = 15;
constexpr int kLoopMs = 300;

template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "sealed_bench: {}\n", result.error().text());
  std::exit(3);
}
void need(const Result<>& result) {
  if (result) return;
  fmt::print(stderr, "sealed_bench: {}\n", result.error().text());
  std::exit(3);
}

fs::path beside(const char* program) {
  return fs::read_symlink("/proc/self/exe").parent_path() / program;
}

// --- where a subject runs

class Place {
 public:
  virtual ~Place() = default;
  [[nodiscard]] virtual subject::Enclosure& enclosure() = 0;
};

// All default observers, or all but the witness.
class Observed final : public Place {
 public:
  Observed(bool witness, const fs::path& keep) {
    catcher::SealedPlan plan;
    plan.witness = witness;
    plan.world.keep = {keep};
    setting_ = need(catcher::sealed_setting(plan));
    watch_ = std::make_unique<catcher::Watch>(
        *setting_, [] { return subject::descendants_of_this_process(); });
    need(watch_->start());
    watch_->scene().set(1, "run");
  }
  ~Observed() override { (void)watch_->stop(); }
  [[nodiscard]] subject::Enclosure& enclosure() override { return setting_->enclosure(); }

 private:
  std::unique_ptr<catcher::Setting> setting_;
  std::unique_ptr<catcher::Watch> watch_;
};

// Nobody looks; connections that lead out are accepted, read to their end and closed.
class Unobserved final : public Place {
 public:
  explicit Unobserved(const fs::path& keep) {
    catcher::WorldPlan plan;
    plan.keep = {keep};
    enclosure_ = need(catcher::make_sealed_enclosure(plan));
    thread_ = std::thread([this] { accept_all(); });
  }
  ~Unobserved() override {
    eventfd_write(stop_.get(), 1);
    thread_.join();
  }
  [[nodiscard]] subject::Enclosure& enclosure() override { return *enclosure_; }

 private:
  void accept_all() {
    const int listener = enclosure_->world().redirected().tcp.get();
    pollfd waiting[] = {{stop_.get(), POLLIN, 0}, {listener, POLLIN, 0}};
    std::array<char, 512> said{};
    while (poll(waiting, 2, -1) > 0 && waiting[0].revents == 0) {
      const subject::FileDescriptor one(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
      while (one.valid() && recv(one.get(), said.data(), said.size(), 0) > 0) {
      }
    }
  }

  std::unique_ptr<catcher::SealedEnclosure> enclosure_;
  subject::FileDescriptor stop_{eventfd(0, EFD_CLOEXEC)};
  std::thread thread_;
};

// --- a server, and requests of it

struct Server {
  subject::Argv argv;
  subject::Pairs environment;
  std::uint16_t port;
  std::string request;
};

// Nanoseconds on a processor, of all its threads.
double cpu_of(pid_t pid) {
  double all = 0;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", pid))) {
    double one = 0;
    std::ifstream(task.path() / "schedstat") >> one;
    all += one;
  }
  return all;
}

class Served {
 public:
  Served(Place& place, const Server& server) : request_(server.request) {
    subject::ProcessPlan plan;
    plan.argv = server.argv;
    plan.environment = server.environment;
    plan.folder = "/";
    process_ = need(place.enclosure().start(std::move(plan)));
    connect_to(place.enclosure(), server.port);
    answer_size_ = ask_first();
  }

  // CPU time of the server, nanoseconds a request.
  double measure() {
    const double before = cpu_of(process_->pid());
    std::string answer(answer_size_, '\0');
    for (int i = 0; i < kRequests; ++i) {
      if (send(socket_.get(), request_.data(), request_.size(), 0) < 0 ||
          recv(socket_.get(), answer.data(), answer.size(), MSG_WAITALL) !=
              static_cast<ssize_t>(answer.size()))
        std::exit(3);
    }
    return (cpu_of(process_->pid()) - before) / kRequests;
  }

 private:
  void connect_to(subject::Enclosure& enclosure, std::uint16_t port) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < 1'000; ++i) {
      socket_ = need(enclosure.socket(AF_INET, SOCK_STREAM));
      if (connect(socket_.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::exit(3);
  }

  // Every answer is as long as the first.
  std::size_t ask_first() {
    std::string answer(4096, '\0');
    if (send(socket_.get(), request_.data(), request_.size(), 0) < 0) std::exit(3);
    const auto bytes = recv(socket_.get(), answer.data(), answer.size(), 0);
    if (bytes <= 0) std::exit(3);
    return static_cast<std::size_t>(bytes);
  }

  std::string request_;
  std::unique_ptr<subject::Process> process_;
  subject::FileDescriptor socket_;
  std::size_t answer_size_ = 0;
};

bool cost_of_a_request(const std::string& what, const Server& server, const fs::path& keep) {
  Unobserved alone(keep);
  Observed observed(true, keep);
  Served without(alone, server), with(observed, server);
  std::vector<double> ratios;
  for (int pair = 0; pair <= kRequestPairs; ++pair) {
    const bool first = pair % 2 == 0;
    const double a = first ? with.measure() : without.measure();
    const double b = first ? without.measure() : with.measure();
    if (pair > 0) ratios.push_back(first ? a / b : b / a);  // the first pair is thrown away
  }
  return bench::judge("CPU time of " + what + ", observed / alone", bench::median(ratios), 1.05,
                      fmt::format("median of {} pairs of {} requests", kRequestPairs, kRequests));
}

// --- connections that a program makes

double connections_in(Place& place) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::exit(3);
  const subject::FileDescriptor reading(ends[0]);
  subject::ProcessPlan plan;
  plan.argv = {beside("crowd").string(), "loop", std::to_string(kLoopMs)};
  plan.folder = "/";
  plan.output = subject::FileDescriptor(ends[1]);
  auto process = need(place.enclosure().start(std::move(plan)));
  if (!process->wait(subject::Milliseconds(30'000))) std::exit(3);
  std::string text(64, '\0');
  const auto bytes = read(reading.get(), text.data(), text.size());
  return bytes > 0 ? std::strtod(text.c_str(), nullptr) : 0;
}

bool throughput(bool witness, double bound, const fs::path& keep) {
  Unobserved alone(keep);
  Observed observed(witness, keep);
  std::vector<double> ratios;
  double most = 0;
  for (int pair = 0; pair <= kLoopPairs; ++pair) {
    const bool first = pair % 2 == 0;
    const double a = connections_in(first ? static_cast<Place&>(observed) : alone);
    const double b = connections_in(first ? static_cast<Place&>(alone) : observed);
    if (a <= 0 || b <= 0) std::exit(3);
    most = std::max({most, a, b});
    if (pair > 0) ratios.push_back(first ? a / b : b / a);
  }
  return bench::judge_least(
      fmt::format("outgoing connections, {} / none", witness ? "observed" : "without the witness"),
      bench::median(ratios), bound,
      fmt::format("median of {} pairs of {} ms, at most {:.0f} connections a second", kLoopPairs,
                  kLoopMs, most * 1000 / kLoopMs));
}

Server redis() {
  return {{"/usr/bin/redis-server", "--port", "7379", "--save", "", "--appendonly", "no"},
          {{"PATH", "/usr/bin:/bin"}},
          7379,
          "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n"};
}

Server notes(const fs::path& data) {
  return {{beside("notes").string(), "serve"},
          {{"NOTES_LISTEN", "127.0.0.1:7080"},
           {"NOTES_HEALTH", "127.0.0.1:7081"},
           {"NOTES_DATA", data.string()},
           {"NOTES_UNENCRYPTED", "1"}},
          7081,
          "GET /healthz HTTP/1.1\r\nHost: notes\r\n\r\n"};
}

}  // namespace

int main(int argc, char** argv) {
  // One of them alone, for a profile: "http", "redis", "witness", "no-witness".
  const auto asked = [&](const char* part) { return argc < 2 || argv[1] == std::string(part); };
  bench::print_host();
  auto scratch = need(subject::Scratch::make());
  const auto data = scratch.path() / "notes";
  fs::create_directories(data);
  bool held = true;
  if (asked("http"))
    held &= cost_of_a_request("a keep-alive HTTP request", notes(data), scratch.path());
  if (asked("redis") && access("/usr/bin/redis-server", X_OK) == 0)
    held &= cost_of_a_request("a redis GET", redis(), scratch.path());
  else if (asked("redis"))
    fmt::print("redis GET: not measured, there is no redis-server\n");
  if (asked("witness")) held &= throughput(true, 0.60, scratch.path());
  if (asked("no-witness")) held &= throughput(false, 0.85, scratch.path());
  return held ? 0 : 1;
}
