import os
import stat
from contextlib import closing

from harness import MAGIC, NotesTest, UnixConnection

CANARY = "ZqW83kLmT0vRb5XyNc7Jd2Hs"


class Store(NotesTest):
    def holding(self, server):
        return {name for name, content in server.files().items() if CANARY.encode() in content}

    def test_encrypted_nothing_is_readable_running_or_stopped(self):
        notes = self.start()
        notes.add(CANARY)
        self.assertEqual(notes.bodies(), [CANARY])
        self.assertIn("data/notes.db-wal", notes.files())
        self.assertEqual(self.holding(notes), set())
        self.assertEqual(notes.stop(), 0)
        self.assertEqual(list(notes.files()), ["data/notes.db"])  # the log was written back
        self.assertFalse(notes.files()["data/notes.db"].startswith(MAGIC))
        self.assertEqual(self.holding(notes), set())

    def test_unencrypted_it_is(self):
        for program in ("notes", "notes-plain"):
            notes = self.start(program=program, NOTES_UNENCRYPTED="1", NOTES_KEY=None)
            notes.add(CANARY)
            notes.stop()
            self.assertEqual(self.holding(notes), {"data/notes.db"}, program)
            self.assertTrue(notes.files()["data/notes.db"].startswith(MAGIC))
            self.assertIn("plain text", notes.output())

    def test_unencrypted_wins_over_a_key(self):
        notes = self.start(program="notes-plain", NOTES_UNENCRYPTED="1")
        self.assertTrue(notes.files()["data/notes.db"].startswith(MAGIC))

    def test_notes_come_back_with_the_key_only(self):
        first = self.start()
        first.add(CANARY)
        first.stop()
        again = self.start(folder=first.folder)
        self.assertEqual(again.bodies(), [CANARY])
        again.stop()
        self.assert_refused("does not open with this key", folder=first.folder, NOTES_KEY="other")
        self.assert_refused("is encrypted", folder=first.folder, NOTES_UNENCRYPTED="1")

    def assert_refused(self, reason, **settings):
        notes = self.launch(**settings)
        status, said = notes.refusal()
        self.assertEqual(status, 1)
        self.assertIn(reason, said)
        self.assertEqual(said.count("\n"), 1, said)
        return notes

    def test_it_refuses_in_one_line(self):
        for reason, settings in (
                ("no key", {"NOTES_KEY": None}), ("no key", {"NOTES_KEY": ""}),
                ("no key", {"NOTES_KEY": None, "NOTES_UNENCRYPTED": "0"}),
                ("built without encryption", {"program": "notes-plain"}),
                ("no data folder", {"NOTES_DATA": None}),
                ("nowhere to listen", {"NOTES_LISTEN": None}),
                ("is not a folder", {"NOTES_DATA": "/proc/version"}),
                ("cannot listen on '127.0.0.1'", {"NOTES_HEALTH": "127.0.0.1"}),
                ("cannot listen on '127.0.0.1:99999'", {"NOTES_LISTEN": "127.0.0.1:99999"}),
                ("there are: die-after=N", {"NOTES_MISBEHAVE": "phone-hme"})):
            refused = self.assert_refused(reason, **settings)
            if reason in ("no key", "built without encryption"):
                self.assertEqual(refused.files(), {}, reason)

    def test_a_port_in_use_is_named(self):
        other = self.start()
        self.assert_refused("Address already in use", NOTES_LISTEN=f"127.0.0.1:{other.port}")


class Socket(NotesTest):
    def test_the_file_is_the_login(self):
        path = "/tmp/notes-test-socket"  # a socket's path is at most 107 bytes
        notes = self.launch(NOTES_SOCKET=path)
        notes.ready()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with closing(UnixConnection(path)) as connection:
            added = notes.ask("POST", "/v1/notes", {"body": "by socket"}, {"Authorization": ""},
                              connection)
        self.assertEqual(added.status, 201)
        self.assertEqual(notes.bodies(), ["by socket"])
        notes.stop()
        self.assertFalse(os.path.exists(path))
