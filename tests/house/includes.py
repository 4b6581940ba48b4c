#!/usr/bin/env python3
"""The arrows between rooms, read from the includes: tools -> lanes -> subject -> evidence.

    tests/house/includes.py [TREE]

Each target has an include root of its own, but a target gets the roots of all that it links, and a
link too many goes unnoticed. So: a quoted include names a room, "room/x.hpp"; the room is one that
the including one may look into; the file exists, or the build writes it (then the room's CMakeLists.txt names it). A
fixture includes nothing of ours. A test may look into what its room may, support/ and its own folder.
Exit status: 1 when something is wrong.
"""
import os
import re
import sys

LANES = ("catcher", "sweep", "canary")
MAY_INCLUDE = {
    "evidence": {"evidence"},
    "subject": {"subject", "evidence"},
    **{lane: {lane, "subject", "evidence"} for lane in LANES},
    "tools": {"tools", "subject", "evidence", *LANES},
}
EVERY_ROOM = set(MAY_INCLUDE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)
SOURCES = (".cpp", ".hpp", ".h", ".cc", ".c", ".ipp", ".inc")


def sources(tree, folder):
    for parent, folders, files in os.walk(os.path.join(tree, folder)):
        folders[:] = [name for name in folders if name != "build"]
        for name in sorted(files):
            if name.endswith(SOURCES):
                yield os.path.join(parent, name)


def exists(*parts):
    return os.path.exists(os.path.join(*parts))


def beside_or_above(tree, relative, included):
    """A fixture's include root may be any folder above it, below fixtures/; a test's too."""
    folder = os.path.dirname(relative)
    while folder:
        if exists(tree, folder, included):
            return True
        folder = os.path.dirname(folder)
    return False


def written_by_build(tree, relative, included):
    try:
        with open(os.path.join(tree, relative.split(os.sep)[0], "CMakeLists.txt"), encoding="utf-8") as handle:
            return re.search(rf"[/ ]{re.escape(included)}\b", handle.read()) is not None
    except OSError:
        return False


def allowed_rooms(relative):
    """The rooms that a file may look into, and whether it may include what is not in a room."""
    parts = relative.split(os.sep)
    if parts[0] != "tests":
        return MAY_INCLUDE.get(parts[0], set()), parts[0] == "fixtures"
    return MAY_INCLUDE.get(parts[1], EVERY_ROOM), True


def mistake(tree, relative, quote, included):
    room = included.split("/")[0] if "/" in included else ""
    rooms, own_folder = allowed_rooms(relative)
    if quote == "<":
        return "a room is included with quotes" if room in EVERY_ROOM else ""
    if room in EVERY_ROOM:
        if room not in rooms:
            return f"{relative.split(os.sep)[0]} may not look into {room}"
        inside = own_folder and beside_or_above(tree, relative, included)
        return "" if inside or exists(tree, included) else "there is no such file"
    if own_folder and beside_or_above(tree, relative, included):
        return ""
    if written_by_build(tree, relative, included):
        return ""
    return 'a quoted include names a room and a file in it, "room/x.hpp"'


def mistakes(tree):
    count = 0
    for folder in (*MAY_INCLUDE, "fixtures", "tests"):
        for path in sources(tree, folder):
            relative = os.path.relpath(path, tree)
            with open(path, encoding="utf-8", errors="replace") as handle:
                text = handle.read()
            count += 1
            for match in INCLUDE.finditer(text):
                what = mistake(tree, relative, match[1], match[2])
                if what:
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{relative}:{line}: {match[2]}: {what}"
    if count == 0:
        yield f"no source was found in {tree}"


def main():
    here = os.path.dirname(os.path.realpath(__file__))
    found = list(mistakes(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../..")))
    print("\n".join(found) or "every include follows the arrows")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
