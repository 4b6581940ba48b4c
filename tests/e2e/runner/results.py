"""Every results.json that a case makes is checked against the schema, by the project's own
validator; so is a document that a tool printed."""
import json
import os
import subprocess

from .program import Failure

seen = {}  # path to its time of change: each state of a file is checked once


def documents(folder):
    for parent, _, files in os.walk(folder):
        for name in files:
            if name == "results.json":
                path = os.path.join(parent, name)
                change = os.stat(path).st_mtime_ns
                if seen.get(path) != change:
                    seen[path] = change
                    yield path


def printed_document(stdout, io):
    """stdout, written to a file, when it is one results document."""
    if not stdout.startswith("{"):
        return None
    try:
        document = json.loads(stdout)
    except ValueError:
        return None
    if not {"tool", "lanes"} <= set(document):
        return None
    path = os.path.join(io, "printed-results.json")
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(stdout)
    return path


def validate(folder, io, stdout, binaries):
    paths = list(documents(folder))
    printed = printed_document(stdout, io)
    if printed:
        paths.append(printed)
    if not paths:
        return
    validator = os.path.join(binaries, "validate_results")
    if not os.path.exists(validator):
        raise Failure(f"{paths[0]} cannot be checked: {validator} was not built")
    for path in paths:
        checked = subprocess.run([validator, path], capture_output=True, text=True, check=False)
        if checked.returncode != 0:
            raise Failure(f"{path} is not valid results:\n{checked.stdout}{checked.stderr}"[:4000])
