import os
import re
import signal
import socket
import subprocess

from harness import LIMIT, NotesTest, wait_for

CANARY = "ZqW83kLmT0vRb5XyNc7Jd2Hs"
KEY = "correct horse"
README = os.path.join(os.path.dirname(__file__), "../../../fixtures/subjects/notes/README.md")


class Leaks(NotesTest):
    def after_a_note(self, switch):
        """The server, stopped, and the files that hold the note or the key."""
        notes = self.start(NOTES_MISBEHAVE=switch)
        self.assertEqual(notes.add(CANARY).status, 201)
        self.kept = notes.bodies()
        self.assertEqual(notes.stop(), 0)
        return notes, {name: [word for word in (CANARY, KEY) if word.encode() in content]
                       for name, content in notes.files().items()}

    def test_honest_nothing(self):
        notes, files = self.after_a_note("")
        self.assertEqual(files, {"data/notes.db": []})
        self.assertNotIn(CANARY, notes.output())
        self.assertNotIn(KEY, notes.output())

    def test_log_body(self):
        notes, files = self.after_a_note("log-body")
        self.assertEqual(files, {"data/notes.db": [], "data/notes.log": [CANARY]})
        self.assertIn(CANARY, notes.output())

    def test_log_key(self):
        notes, files = self.after_a_note("log-key")
        self.assertEqual(files, {"data/notes.db": [], "data/notes.log": [KEY]})
        self.assertIn(KEY, notes.output())

    def test_fulltext_copy(self):
        _, files = self.after_a_note("fulltext-copy")
        self.assertEqual(files, {"data/notes.db": [], "data/fulltext.idx": [CANARY]})

    def test_tmp_copy(self):
        _, files = self.after_a_note("tmp-copy")
        self.assertEqual(files, {"data/notes.db": [], "tmp/notes-draft-1": [CANARY]})

    def test_no_write(self):
        self.after_a_note("no-write")
        self.assertEqual(self.kept, [])

    def test_several_at_once(self):
        _, files = self.after_a_note("log-body,tmp-copy")
        self.assertEqual(set(files), {"data/notes.db", "data/notes.log", "tmp/notes-draft-1"})


class Process(NotesTest):
    def test_ignore_term(self):
        notes = self.start(NOTES_MISBEHAVE="ignore-term")
        notes.process.send_signal(signal.SIGTERM)
        self.assertEqual(notes.bodies(), [])
        self.assertEqual(notes.stop(signal.SIGINT), 0)

    def test_die_after(self):
        notes = self.start(NOTES_MISBEHAVE="die-after=2")  # the first is the login
        self.assertEqual(notes.bodies(), [])
        self.assertRaises(ConnectionError, notes.bodies)
        self.assertEqual(notes.process.wait(LIMIT), 70)

    def test_never_ready(self):
        notes = self.launch(NOTES_MISBEHAVE="never-ready")
        wait_for(lambda: "listening" in notes.output(), "a listener")
        self.assertEqual(notes.health("/healthz").status, 503)

    def test_extra_listener(self):
        notes = self.start(NOTES_MISBEHAVE="extra-listener")
        port = int(re.search(r"also listening on 127.0.0.1:(\d+)", notes.output()).group(1))
        self.assertNotIn(port, (notes.port, notes.health_port))
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 204 "))

    def test_flood(self):
        # Ready although nobody reads its output yet.
        notes = self.start(stdout=subprocess.PIPE, NOTES_MISBEHAVE="flood")
        with notes.process.stdout as output:
            left = 1 << 30
            while left > 0:
                left -= len(os.read(output.fileno(), 1 << 20))
            self.assertEqual(left, 0)
            self.assertEqual(notes.stop(), 0)
            self.assertEqual(output.read(), b"")


class Readme(NotesTest):
    def test_its_table_has_every_switch(self):
        _, said = self.launch(NOTES_MISBEHAVE="?").refusal()
        known = said.split("there are: ")[1].strip().split(", ")
        with open(README, encoding="utf-8") as readme:
            listed = re.findall(r"^\| `([a-z]+(?:-[a-z]+)*(?:=N)?)` \|", readme.read(), re.M)
        self.assertEqual(sorted(listed), sorted(known))
