#!/usr/bin/env python3
"""Whole processes: `egress -- true`, and a raw search of 2 GB against ripgrep.

    process_bench

Bounds: `egress -- true` takes at most 200 ms at the median, sealed, with the controls of eight
observers, and 150 ms with --plain; 10,000 attempts are reported in a second, and make a tool of
64 MB at most; a capture of 2 GB adds 4 MB at most (nothing, but for the noise); the search runs at
0.6 of ripgrep's speed or more. Exit status: 0 held, 1 not, 3 could not be measured.
"""
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BIN = pathlib.Path(__file__).resolve().parent
CANARY = "q7Zt0pXw3LkV9sYbN4rD1mHf"
RUNS = 15
SEARCH_PAIRS = 7
FILES = 2000
FILE_SIZE = 1 << 20


def timed(command, statuses):
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode not in statuses:
        print(f"process_bench: {command[0]} ended with {done.returncode}", file=sys.stderr)
        sys.exit(3)
    return time.monotonic() - start


def judge(what, value, held, bound, basis):
    print(f"{what}: {value:.3f}, bound {bound}: {'held' if held else 'NOT HELD'} ({basis})")
    return held


def start_up():
    def median_of(*options):
        command = [str(BIN / "egress"), *options, "--", "true"]
        timed(command, {0})
        return statistics.median(timed(command, {0}) for _ in range(RUNS)) * 1000

    sealed = median_of()
    plain = median_of("--plain", "--accept-reduced")
    return [judge("egress -- true, ms", sealed, sealed <= 200, 200, f"median of {RUNS}"),
            judge("egress --plain -- true, ms", plain, plain <= 150, 150, f"median of {RUNS}")]


def report():
    """From the command's end to the tool's, less what a run with nothing to report takes."""
    def after_the_command(*command):
        with tempfile.TemporaryDirectory() as folder:
            took = timed([str(BIN / "egress"), "--out", folder + "/out", "--", *command], {0, 1})
            results = json.loads(pathlib.Path(folder, "out/results.json").read_text())
            found = len(results["lanes"][0]["findings"])
            own = float(re.search(r"its own run of ([0-9.]+) s", results["lanes"][0]["bounds"])[1])
        return took - own, found

    nothing = statistics.median(after_the_command("true")[0] for _ in range(3))
    runs = [after_the_command(str(BIN / "crowd"), "udp", "10000", "10000", "8") for _ in range(3)]
    if any(found < 10000 for _, found in runs):
        print(f"process_bench: of 10,000 attempts {min(found for _, found in runs)} were reported", file=sys.stderr)
        sys.exit(3)
    median = statistics.median(took for took, _ in runs) - nothing
    return judge("10,000 attempts reported, s", median, median <= 1, 1, "median of 3, files written")


def memory():
    """The largest resident set of the tool itself (wait4(2)), mapped files included."""
    def peak_of(*command):
        with tempfile.TemporaryDirectory() as folder:
            tool = [str(BIN / "egress"), "--out", folder + "/out", "--", str(BIN / "crowd"), *command]
            pid = os.posix_spawn(tool[0], tool, os.environ, file_actions=[
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, 1, 2)])
            _, status, usage = os.wait4(pid, 0)
            if os.waitstatus_to_exitcode(status) != 1:
                print(f"process_bench: {tool} ended with {status}", file=sys.stderr)
                sys.exit(3)
            return usage.ru_maxrss / 1024

    many = peak_of("connect", "10000", "10000")
    packet = 1400
    small, large = (peak_of("udp", str(packets), "1000", str(packet)) for packets in (2000, 1_500_000))
    grown = large - small
    return [judge("memory with 10,000 destinations, MB", many, many <= 64, 64, "one run"),
            judge("memory that a capture of 2 GB adds, MB", grown, grown <= 4, 4,
                  f"{large:.0f} MB with it, {small:.0f} without")]


def search():
    if shutil.which("rg") is None:
        print("process_bench: ripgrep is not installed", file=sys.stderr)
        sys.exit(3)
    with tempfile.TemporaryDirectory() as folder:
        block = os.urandom(FILE_SIZE)
        for number in range(FILES):
            (pathlib.Path(folder) / f"{number:04}.bin").write_bytes(block[number:] + block[:number])
        ours = [str(BIN / "cipher"), "search", folder, "--canary", CANARY, "-q"]
        theirs = ["rg", "-uuu", "-a", "-F", "-j2", "-q", CANARY, folder]
        timed(ours, {0}), timed(theirs, {1})
        ratios = []
        for _ in range(SEARCH_PAIRS):
            mine = timed(ours, {0})
            ratios.append(timed(theirs, {1}) / mine)
        median = statistics.median(ratios)
        return judge("speed of a raw search of 2 GB / ripgrep's", median, median >= 0.6, "at least 0.6",
                     f"median of {SEARCH_PAIRS} pairs, warm")


def main():
    print(f"host: {platform.processor() or platform.machine()}, {os.cpu_count()} cores, Linux "
          f"{platform.release()}, load {os.getloadavg()[0]:.2f}")
    held = [*start_up(), report(), *memory(), search()]
    sys.exit(0 if all(held) else 1)


main()
