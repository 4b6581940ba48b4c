#include "subject/own_terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "subject/quiet_thread.hpp"

namespace telltale::subject {

namespace {

constexpr int kFollowWindowMs = 250;  // a change of the window is seen that late
constexpr int kLastWordsMs = 100;     // how long a process that keeps the terminal is listened to
constexpr char kEndOfFile = 4;        // ^D
constexpr winsize kWindow{24, 80, 0, 0};

// Keys reach the subject unread; what the tool itself prints keeps its line ends.
class RawInput {
 public:
  RawInput() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios raw = before_;
    cfmakeraw(&raw);
    raw.c_oflag = before_.c_oflag;
    changed_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
  }
  ~RawInput() {
    if (changed_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  }
  RawInput(const RawInput&) = delete;
  RawInput& operator=(const RawInput&) = delete;

 private:
  termios before_{};
  bool changed_ = false;
};

winsize window_of_tool() {
  winsize size{};
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO})
    if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size;
  return kWindow;
}

// A reader that has gone away does not stop the subject.
void show(std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(STDOUT_FILENO, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace

struct OwnTerminal::State {
  FileDescriptor ours, subjects, stop;
  winsize window = kWindow;
  std::optional<RawInput> raw;
  std::thread thread;

  std::string typed;        // not taken by the subject yet
  bool line_begun = false;  // the last key was no line end
  bool input_ended = false;

  void relay();
  void follow_window();
  void read_input();
  void type();
  [[nodiscard]] bool show_output() const;  // false: nothing was there, or nothing can come any more
  void show_last_words() const;
};

void OwnTerminal::State::follow_window() {
  const winsize now = window_of_tool();
  if (memcmp(&now, &window, sizeof now) == 0) return;
  window = now;
  ioctl(ours.get(), TIOCSWINSZ, &window);  // the kernel tells the subject: SIGWINCH
}

// ^D ends the input at the beginning of a line only; before that it hands over what was typed.
void OwnTerminal::State::read_input() {
  std::array<char, 4096> room;
  const ssize_t got = read(STDIN_FILENO, room.data(), room.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got > 0) {
    typed.assign(room.data(), static_cast<std::size_t>(got));
    line_begun = typed.back() != '\n';
    return;
  }
  input_ended = true;
  if (got == 0) typed.assign(line_begun ? 2 : 1, kEndOfFile);
}

void OwnTerminal::State::type() {
  const ssize_t done = write(ours.get(), typed.data(), typed.size());
  if (done > 0) typed.erase(0, static_cast<std::size_t>(done));
  if (done < 0 && errno != EAGAIN && errno != EINTR) typed.clear();
}

bool OwnTerminal::State::show_output() const {
  std::array<char, 65536> room;
  const ssize_t got = read(ours.get(), room.data(), room.size());
  if (got > 0) show({room.data(), static_cast<std::size_t>(got)});
  return got > 0 || (got < 0 && errno == EINTR);
}

// Reading gives EIO, once nobody holds the other end and all of it was read.
void OwnTerminal::State::show_last_words() const {
  pollfd wait{ours.get(), POLLIN, 0};
  while (poll(&wait, 1, kLastWordsMs) > 0 && show_output()) {
  }
}

void OwnTerminal::State::relay() {
  std::array<pollfd, 3> wait{pollfd{stop.get(), POLLIN, 0}, pollfd{ours.get(), 0, 0},
                             pollfd{STDIN_FILENO, POLLIN, 0}};
  while (wait[0].revents == 0) {
    wait[1].events = static_cast<short>(typed.empty() ? POLLIN : POLLIN | POLLOUT);
    wait[2].fd = input_ended || !typed.empty() ? -1 : STDIN_FILENO;
    if (poll(wait.data(), wait.size(), kFollowWindowMs) < 0) continue;
    follow_window();
    const short seen = wait[1].revents;
    if ((seen & (POLLIN | POLLHUP)) != 0 && !show_output() && (seen & POLLHUP) != 0) return;
    if ((seen & POLLOUT) != 0) type();
    if (wait[2].fd >= 0 && wait[2].revents != 0) read_input();
  }
  show_last_words();
}

OwnTerminal::OwnTerminal(std::unique_ptr<State> state) : state_(std::move(state)) {}

OwnTerminal::~OwnTerminal() {
  finish();
}

Result<std::unique_ptr<OwnTerminal>> OwnTerminal::open(const Identity& user) {
  auto state = std::make_unique<State>();
  state->ours = FileDescriptor(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  const bool unlocked =
      state->ours.valid() && grantpt(state->ours.get()) == 0 && unlockpt(state->ours.get()) == 0;
  if (unlocked)
    state->subjects =
        FileDescriptor(ioctl(state->ours.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  state->stop = FileDescriptor(eventfd(0, EFD_CLOEXEC));
  if (!state->subjects.valid() || !state->stop.valid())
    return fail(Fault::instrument,
                std::string("no terminal could be made for the command: ") + strerror(errno),
                "mount /dev/pts, or leave --tty out");
  // Refused to who may not give a file away; all it needs is there then too.
  [[maybe_unused]] const int given = fchown(state->subjects.get(), user.uid, user.gid);
  state->window = window_of_tool();
  ioctl(state->ours.get(), TIOCSWINSZ, &state->window);
  return std::unique_ptr<OwnTerminal>(new OwnTerminal(std::move(state)));
}

FileDescriptor OwnTerminal::connect() {
  if (isatty(STDIN_FILENO) == 1) state_->raw.emplace();
  state_->thread = quiet_thread([state = state_.get()] { state->relay(); });
  return std::move(state_->subjects);
}

void OwnTerminal::finish() {
  if (!state_->thread.joinable()) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t told = write(state_->stop.get(), &one, sizeof one);
  state_->thread.join();
  state_->raw.reset();
  state_->ours.reset();
}

}  // namespace telltale::subject
