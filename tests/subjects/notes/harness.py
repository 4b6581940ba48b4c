"""Starts the real programs, each in a fresh folder, and asks them."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from contextlib import closing

BIN = os.environ["NOTES_TEST_INSIDE"]
LIMIT = 60  # seconds for anything that is waited for
MAGIC = b"SQLite format 3\0"


def wait_for(condition, what):
    """The condition's first true value."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"never came: {what}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=LIMIT)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Notes:
    """One server. `env` adds to, or with None takes from, what an encrypted start needs."""

    def __init__(self, program="notes", folder=None, stdout=None, **env):
        self.folder = folder or tempfile.mkdtemp(prefix="notes-test-")
        self.data, self.home, self.tmp = (os.path.join(self.folder, name)
                                          for name in ("data", "home", "tmp"))
        for path in (self.data, self.home, self.tmp):
            os.makedirs(path, exist_ok=True)
        self.port, self.health_port = free_port(), free_port()
        self.env = {"PATH": os.environ["PATH"], "HOME": self.home, "TMPDIR": self.tmp,
                    "NOTES_DATA": self.data, "NOTES_KEY": "correct horse",
                    "NOTES_LISTEN": f"127.0.0.1:{self.port}",
                    "NOTES_HEALTH": f"127.0.0.1:{self.health_port}"}
        self.env.update(env)
        self.env = {name: value for name, value in self.env.items() if value is not None}
        self.log = os.path.join(self.folder, f"log-{self.port}")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([os.path.join(BIN, program), "serve"], env=self.env,
                                            stdin=subprocess.DEVNULL, stdout=stdout or log,
                                            stderr=log)
        self.token = None

    def ready(self):
        """Waits until it answers on its health port, and logs in."""
        def healthy():
            if self.process.poll() is not None:
                raise AssertionError("it ended: " + self.output())
            try:
                return self.health("/healthz").status == 200
            except OSError:
                return False
        wait_for(healthy, "readiness")
        self.token = self.ask("POST", "/login", {"user": "a"}).json["access_token"]
        return self

    def output(self):
        with open(self.log, encoding="utf-8") as log:
            return log.read()

    def health(self, path):
        with closing(self.connection(self.health_port)) as connection:
            return self._exchange(connection, "GET", path, None, {})

    def connection(self, port=None):
        return http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=LIMIT)

    def ask(self, method, path, body=None, headers=None, connection=None):
        """`body`: bytes, or anything else to send as JSON. Logged in, unless headers say other."""
        every = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        every.update(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if connection:
            return self._exchange(connection, method, path, body, every)
        with closing(self.connection()) as connection:
            return self._exchange(connection, method, path, body, every)

    @staticmethod
    def _exchange(connection, method, path, body, headers):
        connection.request(method, path, body, headers)
        return Answer(connection.getresponse())

    def add(self, body):
        return self.ask("POST", "/v1/notes", {"body": body})

    def bodies(self):
        return [note["body"] for note in self.ask("GET", "/v1/notes").json["notes"]]

    def stop(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        return self.process.wait(LIMIT)

    def refusal(self):
        """Of a server that must not start: exit status, and all that it said."""
        return self.process.wait(LIMIT), self.output()

    def files(self):
        """Every file below the folder, relative, with its bytes."""
        found = {}
        for path, _, names in os.walk(self.folder):
            for name in names:
                full = os.path.join(path, name)
                if os.path.isfile(full) and not name.startswith("log-"):
                    with open(full, "rb") as file:
                        found[os.path.relpath(full, self.folder)] = file.read()
        return found

    def control(self, *words, **env):
        """Runs notesctl as this server's user would."""
        return subprocess.run([os.path.join(BIN, "notesctl"), *words], env={**self.env, **env},
                              capture_output=True, text=True, timeout=LIMIT, check=False)


class NotesTest(unittest.TestCase):
    def start(self, **settings):
        """A ready server, ended and its folder removed with the test."""
        return self.launch(**settings).ready()

    def launch(self, **settings):
        server = Notes(**settings)
        self.addCleanup(shutil.rmtree, server.folder, True)
        self.addCleanup(self._end, server)
        return server

    @staticmethod
    def _end(server):
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
