"""Runs the tests of the notes server in a network namespace with nothing but loopback.

    run.py BIN [unittest arguments]     BIN: the folder of notes, notes-plain and notesctl

A process namespace goes with it, so that nothing that a test started outlives the run; with a /proc
of its own, which LeakSanitizer reads.
"""

import fcntl
import os
import socket
import struct
import subprocess
import sys
import unittest

INSIDE = "NOTES_TEST_INSIDE"


def raise_loopback():
    SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def main():
    if INSIDE not in os.environ:
        os.environ[INSIDE] = os.path.abspath(sys.argv[1])
        enter = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]),
                 "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
        if subprocess.run([*enter, "true"], check=False).returncode != 0:
            print("SKIPPED: needs root or user namespaces, for a network of its own")
            sys.exit(77)
        os.execvp("unshare", [*enter, sys.executable, *sys.argv])
    raise_loopback()
    here = os.path.dirname(os.path.abspath(__file__))
    if len(sys.argv) > 2:
        unittest.main(module=None, argv=["run.py", *sys.argv[2:]])
    suite = unittest.defaultTestLoader.discover(here, "*_test.py")
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    # Nothing found is no pass.
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)


if __name__ == "__main__":
    main()
