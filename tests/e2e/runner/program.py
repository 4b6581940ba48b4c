"""Starting a program, waiting for it within the case's deadline, and signalling it on a condition."""
import fcntl
import glob
import os
import pty
import re
import select
import signal
import socket
import subprocess
import termios
import time


class Failure(Exception):
    """What a case says when it fails; the first line is the sentence."""


def signal_named(name):
    try:
        return signal.Signals[f"SIG{name.removeprefix('SIG')}"]
    except KeyError:
        raise Failure(f"there is no signal {name}") from None


def accepts(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def wait_until(condition, deadline, what, between=0.01):
    """`condition` may raise Failure to stop early."""
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"waited in vain for {what}")
        time.sleep(between)


def read_text(path):
    with open(path, "rb") as handle:
        return handle.read(64 << 20).decode(errors="replace")


def own_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Program:
    """A started program. Its output goes to files, so that a flood fills no pipe and no memory."""

    def __init__(self, argv, folder, environment, output, stdin=b"", terminal=False, merged=False):
        self.argv, self.out, self.err = argv, f"{output}.stdout", f"{output}.stderr"
        self.master = None
        with open(f"{output}.stdin", "wb") as handle:
            handle.write(stdin)
        try:
            if terminal:
                self.start_on_terminal(folder, environment, output)
            else:
                with (open(f"{output}.stdin", "rb") as given, open(self.out, "wb") as out,
                      open(self.err, "wb") as err):
                    self.process = subprocess.Popen(
                        argv, cwd=folder, env=environment, stdin=given, stdout=out,
                        stderr=subprocess.STDOUT if merged else err, start_new_session=True)
        except OSError as error:
            raise Failure(f"{argv[0]} could not be started: {error.strerror}") from None
        self.handle = os.pidfd_open(self.process.pid)

    def start_on_terminal(self, folder, environment, output):
        self.master, slave = pty.openpty()
        open(self.err, "wb").close()
        with open(f"{output}.stdin", "rb") as handle:
            typed = handle.read()
        self.screen = open(self.out, "wb", buffering=0)
        self.process = subprocess.Popen(self.argv, cwd=folder, env=environment, stdin=slave,
                                        stdout=slave, stderr=slave, preexec_fn=own_terminal)
        os.close(slave)
        os.write(self.master, typed)

    def pump(self, seconds):
        """Waits for the exit or for output on the terminal; true when it has exited."""
        watched = [self.handle] + ([self.master] if self.master is not None else [])
        ready = select.select(watched, [], [], seconds)[0]
        if self.master in ready:
            try:
                self.screen.write(os.read(self.master, 65536))
            except OSError:  # EIO: the last process has closed the terminal
                os.close(self.master)
                self.master = None
        return self.handle in ready and (self.master is None or ready == [self.handle])

    def exited(self):
        return self.process.poll() is not None

    def wait(self, deadline, wishes=()):
        """The exit status, as a shell gives it. `wishes`: (signal, condition, text), in order."""
        wishes = list(wishes)
        while not self.pump(0.01 if wishes else 0.2):
            if time.monotonic() > deadline:
                raise Failure("timed out")
            if wishes and wishes[0][1]():
                self.process.send_signal(wishes.pop(0)[0])
        status = self.process.wait()
        os.close(self.handle)
        if wishes:
            raise Failure(f"it ended (with {status}) before the condition of SIGNAL {wishes[0][2]}")
        return status if status >= 0 else 128 - status

    def signal_group(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def stop(self, number=signal.SIGTERM, grace=10):
        self.signal_group(number)
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            pass
        self.signal_group(signal.SIGKILL)
        self.process.wait()


def condition(text, program, case):
    """The condition of a SIGNAL: stdout|stderr REGEX, file GLOB, port PORT, shell COMMAND."""
    kind, _, rest = text.partition(" ")
    if kind in ("stdout", "stderr"):
        path = program.out if kind == "stdout" else program.err
        return lambda: re.search(rest, read_text(path), re.M) is not None
    if kind == "file":
        return lambda: bool(glob.glob(os.path.join(case.folder, rest)))
    if kind == "port":
        return lambda: accepts(int(rest))
    if kind == "shell":
        return lambda: subprocess.run(["bash", "-c", rest], cwd=case.folder, env=case.environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, check=False).returncode == 0
    raise Failure(f"SIGNAL knows the conditions stdout, stderr, file, port, shell; not {kind}")
