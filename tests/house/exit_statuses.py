#!/usr/bin/env python3
"""The exit statuses of README.md (the table under "Exit statuses": number, `name`, meaning) are those of
evidence/exit_status.hpp, by number and name, in the same order.

    tests/house/exit_statuses.py [TREE]
"""
import os
import re
import sys


def read(tree, name):
    with open(os.path.join(tree, name), encoding="utf-8") as handle:
        return handle.read()


def of_header(tree):
    body = re.search(r"enum class ExitStatus[^{]*\{(.*?)\};", read(tree, "evidence/exit_status.hpp"), re.S)
    return [(int(number), name) for name, number in re.findall(r"^\s*(\w+)\s*=\s*(\d+)", body[1], re.M)]


def of_readme(tree):
    section = re.search(r"^## Exit statuses$(.*?)(?=^## |\Z)", read(tree, "README.md"), re.M | re.S)
    if not section:
        return []
    return [(int(number), name)
            for number, name in re.findall(r"^\|\s*(\d+)\s*\|\s*`(\w+)`\s*\|", section[1], re.M)]


def differences(tree):
    header, readme = of_header(tree), of_readme(tree)
    if not header:
        yield "evidence/exit_status.hpp: no status was read"
    if not readme:
        yield 'README.md: no table under "## Exit statuses" was read'
    if header != readme:
        yield f"evidence/exit_status.hpp has {header}"
        yield f"README.md has {readme}"


def main():
    here = os.path.dirname(os.path.realpath(__file__))
    found = list(differences(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../..")))
    print("\n".join(found) or "README.md and exit_status.hpp agree")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
