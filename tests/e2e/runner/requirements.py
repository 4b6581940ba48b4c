"""REQUIRES: what a case needs of the machine. What is not there makes a skip, which is counted."""
import os
import shutil
import subprocess

from . import world
from .directives import Malformed

FOLDERS = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"


def is_root(_):
    return os.geteuid() == 0


def has_program(name):
    return shutil.which(name, path=FOLDERS) is not None


def succeeds(command):
    return subprocess.run(["bash", "-c", command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


KINDS = {"root": is_root, "program": has_program, "file": os.path.exists, "shell": succeeds}


def unmet(case, where, source):
    """The first thing that is not there, or None."""
    for text in case.requirements:
        text = text.replace("@SOURCE@", source)
        kind, _, argument = text.partition(" ")
        if kind not in KINDS or (kind == "root") == bool(argument):
            raise Malformed(f"{where}: REQUIRES takes root, program NAME, file PATH or "
                            f"shell COMMAND, not {text}")
        if not KINDS[kind](argument):
            return text
    if case.isolated and not world.can_isolate():
        return "a network namespace (root, or user namespaces)"
    return None
