#include "subject/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "subject/launch/words.hpp"
#include "subject/quiet_thread.hpp"

namespace telltale::subject {

namespace {

constexpr std::size_t kTail = 64 * 1024;    // bytes kept for last()
constexpr std::size_t kChunk = 256 * 1024;  // bytes of one read
constexpr int kPipe = 1024 * 1024;          // bytes; the most that a user without root may ask for

}  // namespace

struct Output::State {
  FileDescriptor log;
  std::uint64_t limit = 0;
  Watcher watcher;

  mutable std::mutex mutex;  // of what follows, up to the blank line
  std::uint64_t bytes = 0;
  std::uint64_t kept = 0;
  std::string tail;
  std::string lost;

  FileDescriptor reader, stop;
  std::thread thread;

  void take(std::string_view chunk);
  void keep(std::string_view chunk);
  void remember(std::string_view chunk);
  void read_until_stopped();
  bool read_chunk(std::vector<char>& room);
};

void Output::State::take(std::string_view chunk) {
  if (watcher) watcher(chunk);
  const std::lock_guard lock(mutex);
  bytes += chunk.size();
  keep(chunk.substr(0,
                    static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), limit - kept))));
  remember(chunk);
}

void Output::State::keep(std::string_view chunk) {
  while (!chunk.empty() && lost.empty()) {
    const ssize_t done = write(log.get(), chunk.data(), chunk.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      lost = strerror(errno);
      return;
    }
    kept += static_cast<std::uint64_t>(done);
    chunk.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Output::State::remember(std::string_view chunk) {
  if (chunk.size() >= kTail)
    tail.assign(chunk.substr(chunk.size() - kTail));
  else
    tail.append(chunk);
  if (tail.size() > 2 * kTail) tail.erase(0, tail.size() - kTail);
}

// False at the end of the stream and when the pipe is empty.
bool Output::State::read_chunk(std::vector<char>& room) {
  const ssize_t count = read(reader.get(), room.data(), room.size());
  if (count > 0) take({room.data(), static_cast<std::size_t>(count)});
  return count > 0;
}

void Output::State::read_until_stopped() {
  std::vector<char> room(kChunk);
  std::array<pollfd, 2> wait{pollfd{reader.get(), POLLIN, 0}, pollfd{stop.get(), POLLIN, 0}};
  while (wait[1].revents == 0) {
    if (poll(wait.data(), wait.size(), -1) < 0) continue;
    if (wait[0].revents != 0 && !read_chunk(room) && (wait[0].revents & POLLHUP) != 0)
      wait[0].fd = -1;  // every writer is gone
  }
  // What was written before the stop is in the pipe. A writer that goes on is not waited for.
  const int capacity = fcntl(reader.get(), F_GETPIPE_SZ);
  for (std::size_t left = static_cast<std::size_t>(std::max(capacity, 0)); left > 0;) {
    room.resize(std::min(left, kChunk));
    left -= room.size();
    if (!read_chunk(room)) return;
  }
}

Result<std::unique_ptr<Output>> Output::open(const std::filesystem::path& log,
                                             std::uint64_t limit) {
  auto state = std::make_unique<State>();
  state->limit = limit;
  state->log = FileDescriptor(
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
  if (!state->log.valid())
    return fail(Fault::instrument,
                "the subject's output cannot be kept in " + log.string() + ": " + strerror(errno),
                "free the disk, or name another folder with --out");
  return std::unique_ptr<Output>(new Output(std::move(state)));
}

Output::Output(std::unique_ptr<State> state) : state_(std::move(state)) {}

Output::~Output() {
  finish();
}

void Output::watch(Watcher watcher) {
  state_->watcher = std::move(watcher);
}

Result<FileDescriptor> Output::connect() {
  finish();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return fail(Fault::instrument,
                std::string("no pipe for the subject's output: ") + strerror(errno),
                "raise the limit of open files (ulimit -n)");
  state_->reader = FileDescriptor(ends[0]);
  FileDescriptor writer(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  fcntl(ends[0], F_SETPIPE_SZ, kPipe);  // fewer wake-ups in a flood; a refusal costs only them
  state_->stop = FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  state_->thread = quiet_thread([state = state_.get()] { state->read_until_stopped(); });
  return writer;
}

void Output::finish() {
  if (!state_->thread.joinable()) return;
  eventfd_write(state_->stop.get(), 1);
  state_->thread.join();
  state_->reader.reset();
  state_->stop.reset();
}

void Output::append(std::string_view text) {
  state_->take(text);
}

std::uint64_t Output::bytes() const {
  const std::lock_guard lock(state_->mutex);
  return state_->bytes;
}

std::uint64_t Output::kept() const {
  const std::lock_guard lock(state_->mutex);
  return state_->kept;
}

std::string Output::lost() const {
  const std::lock_guard lock(state_->mutex);
  return state_->lost;
}

std::string Output::last(std::size_t lines) const {
  const std::lock_guard lock(state_->mutex);
  std::string_view tail = state_->tail;
  if (tail.size() > kTail) tail.remove_prefix(tail.size() - kTail);
  return std::string(last_lines(tail, lines));
}

}  // namespace telltale::subject
