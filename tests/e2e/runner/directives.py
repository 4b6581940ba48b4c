"""Every directive of a .test file: one row each. tests/README.md explains the same ones."""
from dataclasses import dataclass


class Malformed(Exception):
    """The test file itself is wrong: FILE:LINE, what, and the nearest right thing."""


@dataclass(frozen=True)
class Directive:
    name: str
    kind: str  # "case": about the case; "step": done in order; "after": about the RUN or SHELL above
    argument: bool = True
    body: bool = False  # may end in <<WORD, with lines up to WORD


TABLE = {row.name: row for row in [
    Directive("NAME", "case"),
    Directive("REQUIRES", "case"),
    Directive("ISOLATED", "case", argument=False),
    Directive("TIMEOUT", "case"),

    Directive("FILE", "step", body=True),
    Directive("ENV", "step"),
    Directive("INHERIT", "step"),
    Directive("FREE_PORT", "step"),
    Directive("BACKGROUND", "step"),
    Directive("WAIT_PORT", "step"),
    Directive("WAIT_TCP", "step"),
    Directive("WAIT_FILE", "step"),
    Directive("WAIT_OUTPUT", "step"),
    Directive("STOP", "step"),
    Directive("RUN", "step"),
    Directive("SHELL", "step", body=True),

    Directive("STDIN", "after", body=True),
    Directive("TERMINAL", "after", argument=False),
    Directive("SIGNAL", "after"),
    Directive("EXIT", "after"),
    Directive("EXPECT", "after"),
    Directive("EXPECT_NOT", "after"),
    Directive("EXPECT_REGEX", "after"),
    Directive("EXPECT_STDERR", "after"),
    Directive("EXPECT_STDERR_NOT", "after"),
    Directive("EXPECT_STDERR_REGEX", "after"),
    Directive("EXPECT_NOTHING", "after"),
    Directive("EXPECT_FILE", "after"),
    Directive("EXPECT_NO_FILE", "after"),
    Directive("EXPECT_IN_FILE", "after"),
    Directive("EXPECT_NOT_IN_FILE", "after"),
    Directive("EXPECT_JSON", "after"),
    Directive("EXPECT_JSON_NOT", "after"),
    Directive("EXPECT_FINDING", "after"),
    Directive("CAPTURE", "after"),
]}
