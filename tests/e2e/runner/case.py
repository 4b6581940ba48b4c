"""One case: its folder, its variables, its steps, and what must not be left when it ends."""
import fnmatch
import os
import re
import shlex
import signal
import socket
import subprocess
import time

from . import results, world
from .checks import CHECKS, Outcome
from .program import Failure, Program, accepts, condition, read_text, signal_named, wait_until

VARIABLE = re.compile(r"@([A-Z][A-Z_]*(?:\.[A-Za-z0-9_-]+)?)@")
SYSTEM_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class CaseRun:
    def __init__(self, case, folder, binaries, source):
        self.case = case
        self.folder, self.io = f"{folder}/work", f"{folder}/io"
        self.temporary, self.home = f"{folder}/tmp", f"{folder}/home"
        for path in (self.folder, self.io, self.temporary, self.home, f"{folder}/server-tmp"):
            os.makedirs(path)
        os.chmod(self.temporary, 0o1777)  # a subject may run as another user
        self.deadline = time.monotonic() + case.timeout
        self.variables = {"BIN": binaries, "SOURCE": source, "WORK": self.folder,
                          "TMP": self.temporary, "HOME": self.home,
                          "REAL_HOME": os.environ.get("HOME", "/")}
        self.environment = {"PATH": f"{binaries}:{os.environ.get('PATH', '')}:{SYSTEM_FOLDERS}",
                            "HOME": self.home, "TMPDIR": self.temporary, "LC_ALL": "C.UTF-8",
                            "TERM": "dumb"}
        self.server_temporary = f"{folder}/server-tmp"
        self.servers, self.kept_sockets, self.count = {}, [], 0

    def expand(self, text):
        def value(match):
            if match[1] not in self.variables:
                raise Failure(f"there is no variable {match[0]}; there are " +
                              " ".join(f"@{name}@" for name in self.variables))
            return str(self.variables[match[1]])
        return VARIABLE.sub(value, text)

    def run(self):
        try:
            for step in self.case.steps:
                self.run_step(step)
        finally:
            for server in self.servers.values():
                server.stop()
        self.nothing_is_left()

    def run_step(self, step):
        try:
            text = self.expand(step.text)
            getattr(self, "do_" + step.directive.lower())(step, text)
        except Failure as failure:
            if not hasattr(failure, "line"):
                failure.line = step.line
            raise

    # Steps, in the order of directives.py.

    def do_file(self, step, text):
        path = os.path.join(self.folder, text)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(self.expand(step.body or ""))
        if (step.body or "").startswith("#!"):
            os.chmod(path, 0o755)

    def do_env(self, _, text):
        name, equals, value = text.partition("=")
        if equals:
            self.environment[name] = value
        elif text.startswith("-"):
            self.environment.pop(text[1:], None)
        else:
            raise Failure("ENV takes NAME=VALUE, or -NAME")

    def do_inherit(self, _, text):
        for pattern in text.split():
            self.environment |= {name: value for name, value in os.environ.items()
                                 if fnmatch.fnmatchcase(name, pattern)}

    def do_free_port(self, _, text):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.variables[f"PORT.{text}"] = probe.getsockname()[1]

    def do_background(self, _, text):
        name, _, command = text.partition(" ")
        if name in self.servers or not command:
            raise Failure("BACKGROUND takes a NAME of its own and a command")
        self.servers[name] = Program(shlex.split(command), self.folder,
                                     self.environment | {"TMPDIR": self.server_temporary},
                                     f"{self.io}/{name}", merged=True)

    def server(self, name):
        if name not in self.servers:
            raise Failure(f"there is no BACKGROUND {name}")
        return self.servers[name]

    def alive(self, name):
        if self.server(name).exited():
            raise Failure(f"{name} ended with {self.server(name).process.returncode}:\n" +
                          read_text(self.server(name).out)[-2000:])
        return True

    def do_wait_output(self, _, text):
        name, _, pattern = text.partition(" ")
        found = []

        def seen():
            found[:] = [re.search(pattern, read_text(self.server(name).out), re.M)]
            return found[0] or not self.alive(name)
        wait_until(seen, self.deadline, f"{pattern} in the output of {name}")
        return found[0]

    def do_wait_port(self, step, text):
        name, _, pattern = text.partition(" ")
        match = self.do_wait_output(step, f"{name} {pattern or r'([0-9]+)'}")
        port = int(match[1])
        wait_until(lambda: self.alive(name) and accepts(port), self.deadline,
                   f"{name} to accept on port {port}")
        self.variables[f"PORT.{name}"] = port

    def do_wait_tcp(self, _, text):
        wait_until(lambda: all(map(self.alive, self.servers)) and accepts(int(text)), self.deadline,
                   f"port {text} to accept")

    def do_wait_file(self, _, text):
        path = os.path.join(self.folder, text)
        wait_until(lambda: os.path.exists(path) or not all(map(self.alive, self.servers)),
                   self.deadline, f"the file {text}")

    def do_stop(self, _, text):
        name, _, number = text.partition(" ")
        self.server(name)
        self.servers.pop(name).stop(signal_named(number or "TERM"))

    def do_run(self, step, text):
        try:
            argv = shlex.split(text)
        except ValueError as error:
            raise Failure(f"RUN: {error}") from None
        if {"|", "||", "&&", ";", "&", ">", ">>", "<", "2>&1"} & set(text.split()):
            raise Failure("RUN has no shell; use SHELL")
        self.start_and_check(step, argv)

    def do_shell(self, step, text):
        script = "\n".join(filter(None, (text, self.expand(step.body or ""))))
        self.start_and_check(step, ["bash", "-c", f"set -uo pipefail\n{script}"])

    def start_and_check(self, step, argv):
        self.count += 1
        stdin = next((self.expand(one.body if one.body is not None else one.text + "\n")
                      for one in step.after if one.directive == "STDIN"), "")
        program = Program(argv, self.folder, self.environment, f"{self.io}/{self.count}",
                          stdin.encode(), any(one.directive == "TERMINAL" for one in step.after))
        self.last = program
        wishes = [self.wish(one, program) for one in step.after if one.directive == "SIGNAL"]
        outcome = Outcome(program.wait(self.deadline, wishes), program, self)
        for check in step.after:
            if check.directive in CHECKS:
                self.check(check, outcome)
        if not any(check.directive == "EXIT" for check in step.after):
            CHECKS["EXIT"](outcome, "0")
        results.validate(self.folder, self.io, outcome.stdout, self.variables["BIN"])

    def check(self, check, outcome):
        try:
            CHECKS[check.directive](outcome, self.expand(check.text))
        except Failure as failure:
            failure.line = check.line
            raise

    def wish(self, step, program):
        name, _, rest = self.expand(step.text).partition(" ")
        return signal_named(name), condition(rest, program, self), step.text

    def nothing_is_left(self):
        left = world.leftovers(patience=1.0)
        if left:
            raise Failure("left running: " + "; ".join(f"{pid} {line}" for pid, line in left.items()))
        entries = sorted(os.listdir(self.temporary))
        if entries:
            raise Failure("left in TMPDIR: " + " ".join(entries))
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as mounts:
            mounted = [line.split()[4] for line in mounts if self.folder in line]
        if mounted:
            raise Failure("left mounted: " + " ".join(mounted))
