// CPU time that a keep-alive HTTP subject spends on a request with the observers on, against the
// same without them. The subject is the bundled notes server beside this program.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench.hpp"
#include "catcher/watch.hpp"
#include "subject/descendants.hpp"
#include "subject/driver.hpp"
#include "subject/launch.hpp"

namespace {

using namespace telltale;

constexpr int kPairs = 15;
constexpr int kCalls = 1'500;

subject::Specification notes(const std::filesystem::path& folder) {
  subject::Specification file;
  file.name = "notes";
  file.command = {(folder / "notes").string(), "serve"};
  file.ports = {"api", "health"};
  file.env = {{"NOTES_LISTEN", "127.0.0.1:${port.api}"},
              {"NOTES_HEALTH", "127.0.0.1:${port.health}"},
              {"NOTES_DATA", "${data}"},
              {"NOTES_UNENCRYPTED", "1"}};
  subject::Step setup;
  setup.name = "init";
  subject::ExecCall init;
  init.command = {(folder / "notesctl").string(), "init"};
  setup.call = init;
  file.setup = {setup};
  file.ready.kind = subject::Readiness::Kind::http;
  file.ready.target = "http://127.0.0.1:${port.health}/healthz";
  subject::Step door;
  door.name = "health";
  subject::HttpCall call;
  call.url = file.ready.target;
  door.call = call;
  file.doors = {door};
  return file;
}

// utime and stime of /proc/PID/schedstat: nanoseconds on a processor.
double cpu_nanoseconds(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/schedstat", pid));
  double nanoseconds = 0;
  file >> nanoseconds;
  return nanoseconds;
}

class Overhead {
 public:
  Overhead() : enclosure_(subject::make_plain_enclosure()) {}

  int run() {
    const auto file = notes(std::filesystem::read_symlink("/proc/self/exe").parent_path());
    auto scratch = subject::Scratch::make();
    if (!scratch) return 3;
    auto launch = subject::Launch::prepare(file, *enclosure_, interruption_, scratch->path(), {});
    if (!launch) return complain(launch.error());
    if (auto started = (*launch)->start(); !started) return complain(started.error());
    auto driver = subject::Driver::open(file, **launch, *enclosure_);
    if (!driver) return complain(driver.error());
    std::vector<double> ratios;
    for (int pair = 0; pair <= kPairs; ++pair) {
      // Which of the two goes first changes from pair to pair.
      const bool first = pair % 2 == 0;
      const double a = measure(*driver, **launch, first);
      const double b = measure(*driver, **launch, !first);
      if (a <= 0 || b <= 0) return 3;
      if (pair > 0) ratios.push_back(first ? a / b : b / a);
    }
    return bench::judge("CPU time of the subject per request, observed / alone",
                        bench::median(ratios), 1.05,
                        fmt::format("median of {} pairs of {} calls", kPairs, kCalls))
               ? 0
               : 1;
  }

 private:
  static int complain(const Error& error) {
    fmt::print(stderr, "overhead_bench: {}\n", error.text());
    return 3;
  }

  double measure(subject::Driver& driver, subject::Launch& launch, bool observed) {
    const auto setting = catcher::plain_setting(*enclosure_);
    catcher::Watch watch(*setting, [] { return subject::descendants_of_this_process(); });
    if (observed && !watch.start()) return 0;
    const double before = cpu_nanoseconds(launch.pid());
    if (!driver.rounds(kCalls, interruption_)) return 0;
    return cpu_nanoseconds(launch.pid()) - before;
  }

  const subject::Interruption interruption_;
  std::unique_ptr<subject::Enclosure> enclosure_;
};

}  // namespace

int main() {
  bench::print_host();
  return Overhead().run();
}
