import os
import stat

from harness import NotesTest


class Client(NotesTest):
    def test_login_add_list_search(self):
        notes = self.start()
        refused = notes.control("list")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("notesctl login", refused.stderr)
        self.assertEqual(notes.control("login", "a").returncode, 0)
        kept = os.path.join(notes.home, ".notes-token")
        self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)
        added = notes.control("add", "buy 2 & 3 é")
        self.assertEqual(added.returncode, 0, added.stderr)
        notes.control("add", "other")
        listed = notes.control("list").stdout.splitlines()
        self.assertEqual([line.split("\t")[2] for line in listed], ["other", "buy 2 & 3 é"])
        self.assertEqual(notes.control("search", "2 & 3 É".lower()).stdout, added.stdout)
        self.assertEqual(notes.control("search", "nothing").stdout, "")
        self.assertEqual(notes.control("list", NOTES_TOKEN="wrong").returncode, 1)

    def test_over_the_unix_socket_without_a_login(self):
        notes = self.start(NOTES_SOCKET="/tmp/notes-test-client")
        self.assertEqual(notes.control("add", "x", NOTES_LISTEN="").returncode, 0)
        self.assertEqual(notes.bodies(), ["x"])

    def test_init_makes_a_folder_for_the_owner_alone(self):
        notes = self.start()
        folder = os.path.join(notes.folder, "new", "data")
        self.assertEqual(notes.control("init", NOTES_DATA=folder).returncode, 0)
        self.assertEqual(stat.S_IMODE(os.stat(folder).st_mode), 0o700)
        self.assertEqual(notes.control("init", NOTES_DATA=folder).returncode, 0)

    def test_mistakes(self):
        notes = self.start()
        for words in ((), ("add",), ("list", "x"), ("no-such",)):
            self.assertEqual(notes.control(*words).returncode, 2, words)
        notes.stop()
        gone = notes.control("list")
        self.assertEqual((gone.returncode, gone.stderr.count("\n")), (1, 1))
        self.assertIn(f"127.0.0.1:{notes.port}: Connection refused", gone.stderr)
