"""What a case runs in: a process of its own that adopts every orphan, and, when it is ISOLATED, a
network namespace with nothing but loopback.

The case's process is a child subreaper (PR_SET_CHILD_SUBREAPER): a program that detaches itself
becomes its child, so what is left over at the end is exactly its remaining children. Without root
the namespace lies in a user namespace where the caller is mapped to root.
"""
import ctypes
import fcntl
import os
import signal
import socket
import struct
import time

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1

libc = ctypes.CDLL(None, use_errno=True)


def must(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def adopt_orphans():
    must(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "PR_SET_CHILD_SUBREAPER")
    # ctest ends a test that takes too long by killing the runner: then clean up here.
    must(libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0), "PR_SET_PDEATHSIG")


def isolate():
    """Only loopback from here on, for this process and all that it starts."""
    user, group = os.getuid(), os.getgid()
    must(libc.unshare(CLONE_NEWNET | (CLONE_NEWUSER if user != 0 else 0)), "unshare")
    if user != 0:
        for file, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"),
                           ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{file}", "w", encoding="ascii") as handle:
                handle.write(text)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))


def can_isolate():
    child = os.fork()
    if child == 0:
        try:
            isolate()
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def descendants(root):
    """Every process below `root`, as {pid: command line}; zombies are left out."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as handle:
                state, parent = handle.read().rpartition(b")")[2].split()[:2]
        except OSError:
            continue
        if state not in (b"Z", b"X"):
            parents[int(name)] = int(parent)
    found, frontier = {}, {root}
    while frontier:
        frontier = {pid for pid, parent in parents.items() if parent in frontier}
        found |= {pid: command_line(pid) for pid in frontier}
    return found


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as handle:
            return handle.read().replace(b"\0", b" ").decode(errors="replace").strip() or "?"
    except OSError:
        return "?"


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def leftovers(patience):
    """What is still alive below this process after `patience` seconds; it is killed."""
    deadline = time.monotonic() + patience
    while (left := descendants(os.getpid())) and time.monotonic() < deadline:
        reap()
        time.sleep(0.01)
    kill_all()
    return left


def kill_all():
    while left := descendants(os.getpid()):
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap()
        time.sleep(0.005)
    reap()
