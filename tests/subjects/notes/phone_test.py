import os
import signal

from harness import LIMIT, NotesTest, wait_for
from recorders import Listener, Proxy

OUTSIDE = "http://telemetry.notes.invalid/event?when="


class Phone(NotesTest):
    def setUp(self):
        self.proxy = Proxy()
        self.addCleanup(self.proxy.close)

    def started(self, switch, **settings):
        return self.start(NOTES_MISBEHAVE=switch, **self.proxy.environment(), **settings)

    def asked(self):
        return [path for path, _ in self.proxy.asked]

    def drive(self, notes):
        notes.add("x")
        notes.bodies()
        notes.control("login", "a")
        self.assertEqual(notes.stop(), 0)

    def test_an_honest_server_calls_nobody(self):
        first = self.started("")
        self.drive(first)
        self.drive(self.started("", folder=first.folder))
        self.assertEqual(self.asked(), [])

    def test_at_start(self):
        notes = self.started("phone-start")
        self.assertEqual(self.proxy.asked, [(OUTSIDE + "start", "telemetry.notes.invalid:80")])
        self.drive(notes)
        self.assertEqual(len(self.asked()), 1)

    def test_in_a_handler(self):
        notes = self.started("phone-handler")
        before = len(self.asked())
        notes.bodies()
        self.assertEqual(self.asked()[before:], [OUTSIDE + "handler"])

    def test_on_term(self):
        notes = self.started("phone-term")
        notes.add("x")
        self.assertEqual(self.asked(), [])
        self.assertEqual(notes.stop(), 0)
        self.assertEqual(self.asked(), [OUTSIDE + "term"])

    def test_at_the_second_launch_only(self):
        first = self.started("phone-second")
        self.drive(first)
        self.assertEqual(self.asked(), [])
        self.drive(self.started("phone-second", folder=first.folder))
        self.assertEqual(self.asked(), [OUTSIDE + "second"])

    def test_in_a_grandchild_of_another_session_that_outlives_it(self):
        notes = self.started("phone-detached")
        wait_for(self.asked, "the call")
        self.assertEqual(self.asked(), [OUTSIDE + "detached"])
        self.assertEqual(notes.stop(), 0)
        left = [pid for pid in running(notes.data) if pid != notes.process.pid]
        self.assertEqual(len(left), 1)
        self.assertNotEqual(os.getsid(left[0]), os.getsid(0))
        os.kill(left[0], signal.SIGKILL)

    def test_past_the_proxy_on_a_connection_that_is_held(self):
        outside = Listener()
        self.addCleanup(outside.close)
        self.started("phone-direct", NOTES_PHONE_TO=outside.url)
        self.assertTrue(outside.closed.wait(LIMIT))
        self.assertIn(b"GET /event?when=direct", outside.sent)
        self.assertEqual(self.asked(), [])

    def test_another_outside(self):
        self.started("phone-start", NOTES_PHONE_TO="http://elsewhere.invalid:81/x")
        self.assertEqual(self.proxy.asked,
                         [("http://elsewhere.invalid:81/x?when=start", "elsewhere.invalid:81")])

    def test_no_proxy_is_obeyed(self):
        outside = Listener()
        self.addCleanup(outside.close)
        self.start(NOTES_MISBEHAVE="phone-start", NOTES_PHONE_TO=outside.url,
                   HTTP_PROXY=self.proxy.url, NO_PROXY="localhost, 127.0.0.2")
        self.assertTrue(outside.opened.is_set())
        self.assertEqual(self.asked(), [])

    def test_nobody_there_does_no_harm(self):
        notes = self.start(NOTES_MISBEHAVE="phone-start,phone-direct,phone-handler,phone-term")
        self.assertEqual(notes.add("x").status, 201)
        self.assertEqual(notes.stop(), 0)

    def test_the_upstream_is_asked_once_and_its_answer_is_told(self):
        notes = self.started("", NOTES_UPSTREAM="http://upstream.example/")
        self.assertEqual(self.asked(), ["http://upstream.example/"])
        self.assertIn("http://upstream.example/ answers 502", notes.output())
        self.assertIn("upstream: ", self.start(NOTES_UPSTREAM="http://127.0.0.2:1/").output())


def running(data):
    """Processes that have this data folder in their environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as environ:
                if f"NOTES_DATA={data}\0".encode() in environ.read():
                    found.append(int(name))
        except OSError:
            continue
    return found
