"""The checks that follow a RUN or SHELL. Each raises Failure with what was expected and what is."""
import glob
import json
import os
import re
import shlex

from . import json_path
from .program import Failure, read_text

JSON_CHECK = re.compile(r'(\S+)\s+("[^"]*"|\S+)\s+(\S+)(?:\s+(.*))?$')


class Outcome:
    """What one RUN or SHELL left."""

    def __init__(self, status, program, case):
        self.status, self.case = status, case
        self.stdout, self.stderr = read_text(program.out), read_text(program.err)

    def path(self, name):
        return os.path.join(self.case.folder, name)

    def document(self, name):
        text = self.stdout if name == "-" else self.file(name)
        try:
            return json.loads(text)
        except ValueError as error:
            raise Failure(f"{'stdout' if name == '-' else name} is not JSON: {error}") from None

    def file(self, name):
        found = sorted(glob.glob(self.path(name)))
        if not found:
            raise Failure(f"there is no file {name}")
        return read_text(found[0])


def contains(text, wanted, where):
    if wanted not in text:
        raise Failure(f"{where} does not contain: {wanted}")


def contains_not(text, unwanted, where):
    if unwanted in text:
        line = next(line for line in text.splitlines() if unwanted.splitlines()[0] in line)
        raise Failure(f"{where} contains {unwanted!r}, in: {line}")


def matches(text, pattern, where):
    if not re.search(pattern, text, re.M):
        raise Failure(f"{where} does not match: {pattern}")


def check_exit(outcome, text):
    if str(outcome.status) not in text.split("|"):
        raise Failure(f"exit status {outcome.status}, not {text}")


def check_nothing(outcome, text):
    for stream in text.split():
        if stream not in ("stdout", "stderr"):
            raise Failure(f"EXPECT_NOTHING takes stdout or stderr, not {stream}")
        if getattr(outcome, stream):
            raise Failure(f"{stream} is not empty")


def check_file(outcome, text):
    if not glob.glob(outcome.path(text)):
        raise Failure(f"there is no file {text}")


def check_no_file(outcome, text):
    found = glob.glob(outcome.path(text))
    if found:
        raise Failure(f"there is a file {found[0]}")


def in_file(check):
    def run(outcome, text):
        name, _, wanted = text.partition(" ")
        check(outcome.file(name), wanted.strip(), name)
    return run


def check_json(must_hold):
    def run(outcome, text):
        match = JSON_CHECK.match(text)
        if not match or match[3] not in json_path.OPERATORS:
            raise Failure("EXPECT_JSON takes: FILE|- PATH OPERATOR VALUE; the operators are " +
                          " ".join(json_path.OPERATORS))
        name, path, operator, value = match.groups()
        path = shlex.split(path)[0] if path.startswith('"') else path
        try:
            values = json_path.select(outcome.document(name), path)
        except ValueError as error:
            raise Failure(str(error)) from None
        held = json_path.holds(values, operator, json_path.parse_value(value or ""))
        if held != must_hold:
            raise Failure(f"{name} {path} is {shown(values)}; wanted {'' if must_hold else 'not '}"
                          f"{operator} {value or ''}".rstrip())
    return run


def check_finding(outcome, text):
    name, where, observers, pattern = (text.split(None, 3) + [""] * 4)[:4]
    if not pattern:
        raise Failure("EXPECT_FINDING takes: FILE WHERE OBSERVER,OBSERVER REGEX")
    findings = json_path.select(outcome.document(name), "/lanes/*/findings/*")
    there = [finding for finding in findings if finding["where"] == where]
    if not there:
        raise Failure(f"no finding is at {where}; there are " +
                      shown(sorted({finding["where"] for finding in findings})))
    told = [finding for finding in there if re.search(pattern, finding["what"])]
    if not told:
        raise Failure(f"{where} is told as {shown([one['what'] for one in there])}, not {pattern}")
    wanted = set(observers.replace("-", " ").split(","))
    seen = [set(finding["seen_by"]) for finding in told]
    if not any(wanted <= by for by in seen):
        raise Failure(f"{where} was not seen by {', '.join(sorted(wanted - seen[0]))}")


def shown(values):
    text = ", ".join(json.dumps(value) for value in values[:5]) or "not there"
    return text if len(text) < 500 else text[:500] + "…"


def capture(outcome, text):
    name, stream, pattern = (text.split(" ", 2) + ["", ""])[:3]
    source = outcome.file(stream) if stream not in ("stdout", "stderr") else getattr(outcome, stream)
    match = re.search(pattern, source, re.M)
    if not match:
        raise Failure(f"{stream} does not match: {pattern}")
    outcome.case.variables[name] = match[1] if match.groups() else match[0]


CHECKS = {
    "EXIT": check_exit,
    "EXPECT": lambda outcome, text: contains(outcome.stdout, text, "stdout"),
    "EXPECT_NOT": lambda outcome, text: contains_not(outcome.stdout, text, "stdout"),
    "EXPECT_REGEX": lambda outcome, text: matches(outcome.stdout, text, "stdout"),
    "EXPECT_STDERR": lambda outcome, text: contains(outcome.stderr, text, "stderr"),
    "EXPECT_STDERR_NOT": lambda outcome, text: contains_not(outcome.stderr, text, "stderr"),
    "EXPECT_STDERR_REGEX": lambda outcome, text: matches(outcome.stderr, text, "stderr"),
    "EXPECT_NOTHING": check_nothing,
    "EXPECT_FILE": check_file,
    "EXPECT_NO_FILE": check_no_file,
    "EXPECT_IN_FILE": in_file(contains),
    "EXPECT_NOT_IN_FILE": in_file(contains_not),
    "EXPECT_JSON": check_json(True),
    "EXPECT_JSON_NOT": check_json(False),
    "EXPECT_FINDING": check_finding,
    "CAPTURE": capture,
}
