"""Text to cases. Nothing is run here, so a mistake anywhere in a file stops the whole file."""
import difflib
import re
from dataclasses import dataclass, field

from .directives import TABLE, Malformed

LINE = re.compile(r"([A-Z_]+)(?:\s+(.*))?$")
BODY = re.compile(r"(.*?)\s*<<([A-Z]+)$")
SECONDS = re.compile(r"(\d+)(s|m)$")


@dataclass
class Step:
    directive: str
    text: str
    body: str | None
    line: int
    after: list = field(default_factory=list)  # Steps of kind "after"


@dataclass
class Case:
    name: str
    line: int
    requirements: list = field(default_factory=list)
    isolated: bool = False
    timeout: int = 60  # seconds
    steps: list = field(default_factory=list)


def read_steps(path):
    """The directives of a file, in order."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    steps, number = [], 0
    while number < len(lines):
        line, number = lines[number].rstrip(), number + 1
        if not line or line.startswith("#"):
            continue
        where = f"{path}:{number}"
        step = read_directive(line, where, number)
        body = TABLE[step.directive].body and BODY.match(step.text)
        if body:
            step.text = body[1]
            try:
                end = lines.index(body[2], number)
            except ValueError:
                raise Malformed(f"{where}: no line {body[2]} ends this") from None
            step.body = "".join(text + "\n" for text in lines[number:end])
            number = end + 1
        steps.append(step)
    return steps


def read_directive(line, where, number):
    match = LINE.match(line)
    name = match[1] if match else line.split()[0]
    if match is None or name not in TABLE:
        near = difflib.get_close_matches(name, TABLE, 1)
        raise Malformed(f"{where}: there is no directive {name}" +
                        (f"; did you mean {near[0]}?" if near else ""))
    if TABLE[name].argument != bool(match[2]):
        raise Malformed(f"{where}: {name} " +
                        ("needs an argument" if TABLE[name].argument else "takes no argument"))
    return Step(name, match[2] or "", None, number)


def apply_to_case(case, step, where):
    if step.directive == "REQUIRES":
        case.requirements.append(step.text)
    elif step.directive == "ISOLATED":
        case.isolated = True
    elif step.directive == "TIMEOUT":
        match = SECONDS.match(step.text)
        if not match:
            raise Malformed(f"{where}: TIMEOUT takes 90s or 2m, not {step.text}")
        case.timeout = int(match[1]) * {"s": 1, "m": 60}[match[2]]


def read_cases(path):
    """What stands before the first NAME holds for every case of the file."""
    common, cases = Case("", 0), []
    for step in read_steps(path):
        where = f"{path}:{step.line}"
        if step.directive == "NAME":
            cases.append(Case(step.text, step.line, list(common.requirements), common.isolated,
                              common.timeout, list(common.steps)))
            continue
        case = cases[-1] if cases else common
        kind = TABLE[step.directive].kind
        if kind == "case":
            apply_to_case(case, step, where)
        elif kind == "step":
            case.steps.append(step)
        elif case.steps and case.steps[-1].directive in ("RUN", "SHELL"):
            case.steps[-1].after.append(step)
        else:
            raise Malformed(f"{where}: {step.directive} follows a RUN or SHELL")
    check(path, cases)
    return cases


def check(path, cases):
    if not cases:
        raise Malformed(f"{path}: holds no case (NAME)")
    names = [case.name for case in cases]
    for case in cases:
        if names.count(case.name) > 1:
            raise Malformed(f"{path}:{case.line}: two cases are called {case.name}")
        if not any(step.directive in ("RUN", "SHELL") for step in case.steps):
            raise Malformed(f"{path}:{case.line}: {case.name} runs nothing")
