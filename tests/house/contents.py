#!/usr/bin/env python3
"""What must not be in a committed file: the host of a package registry outside the one table in
sweep/, and a path of somebody's machine. Binary files are read too.

    tests/house/contents.py [TREE]

Exit status: 1 when something is found, or when there was nothing to read.
"""
import os
import re
import subprocess
import sys

TABLE = "sweep/registries/table.hpp"

# Patterns of names, not the names: this file would be a finding of its own.
HOST = re.compile(
    rb"(?<![\w.-])(?:(?:proxy|sum|registry|index|static|repo1?|files|deb|security|archive|snapshot)"
    rb"(?:\.[a-z0-9-]+)+\.(?:org|com|io|net|dev)|(?:pypi|crates|npmjs|rubygems)\.(?:org|io|com))(?![\w-])",
    re.I)
# Names set aside for documents and tests (RFC 2606, RFC 6761).
RESERVED = re.compile(rb"(?:^|\.)(?:example\.(?:com|net|org)|test|invalid|localhost)$", re.I)
MACHINE = re.compile(rb"(?<![\w.@}-])/(?:home/(?!user/|you/|me\b)[a-z][\w-]*|Users/\w+|root/\.?\w|work/(?:main|wt|shared|steering|\.)|farm/\w)")


def committed(tree):
    """Tracked and new files; without git (a release's archive) every file but the build's."""
    try:
        listed = subprocess.run(["git", "-C", tree, "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], capture_output=True, check=True)
        return sorted(os.fsdecode(name) for name in listed.stdout.split(b"\0") if name)
    except (OSError, subprocess.CalledProcessError):
        return sorted(os.path.relpath(os.path.join(parent, name), tree)
                      for parent, _, files in os.walk(tree) for name in files
                      if not os.path.relpath(parent, tree).startswith("build"))


def findings(tree):
    names = committed(tree)
    if not names:
        yield f"nothing was read in {tree}"
    for name in names:
        path = os.path.join(tree, name)
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        with open(path, "rb") as handle:
            data = handle.read()
        hosts = [] if name == TABLE else [
            match for match in HOST.finditer(data) if not RESERVED.search(match[0])]
        for match in hosts:
            yield report(name, data, match, "the host of a registry stands outside the table")
        for match in MACHINE.finditer(data):
            yield report(name, data, match, "a path of a machine")


def report(name, data, match, what):
    line = data.count(b"\n", 0, match.start()) + 1
    return f"{name}:{line}: {match[0].decode(errors='replace')}: {what}"


def main():
    here = os.path.dirname(os.path.realpath(__file__))
    found = list(findings(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../..")))
    print("\n".join(found) or "no host of a registry and no path of a machine")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
