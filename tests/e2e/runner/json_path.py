"""EXPECT_JSON's paths and comparisons.

A path is a list of segments, each after a slash: a key or an index; * for every element;
[key=value] for the elements of a list that have it; # for the length. Values that do not exist are
not selected.
"""
import json
import re

SEGMENT = re.compile(r"/(\[[^\]]*\]|[^/]*)")

OPERATORS = {
    "==": lambda have, want: same_kind(have, want) and have == want,
    "!=": lambda have, want: not (same_kind(have, want) and have == want),
    "<": lambda have, want: have < want,
    "<=": lambda have, want: have <= want,
    ">": lambda have, want: have > want,
    ">=": lambda have, want: have >= want,
    "contains": lambda have, want: want in have,
    "matches": lambda have, want: re.search(str(want), have) is not None,
    "exists": lambda have, want: True,
}


def same_kind(have, want):
    # True == 1 in Python; in JSON they differ.
    return isinstance(have, bool) == isinstance(want, bool)


def children(value):
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def step_into(value, segment):
    if segment == "*":
        return children(value)
    if segment == "#":
        return [len(value)] if isinstance(value, (list, dict, str)) else []
    if segment.startswith("["):
        key, _, wanted = segment[1:-1].partition("=")
        return [one for one in children(value)
                if isinstance(one, dict) and key in one and as_text(one[key]) == wanted]
    if isinstance(value, dict):
        return [value[segment]] if segment in value else []
    if isinstance(value, list) and segment.isdigit() and int(segment) < len(value):
        return [value[int(segment)]]
    return []


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value)


def select(document, path):
    if SEGMENT.sub("", path):
        raise ValueError(f"the path {path} does not begin with a slash")
    values = [document]
    for segment in SEGMENT.findall(path):
        values = [inner for value in values for inner in step_into(value, segment)]
    return values


def parse_value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def holds(values, operator, wanted):
    """At least one of the values compares so."""
    def compare(value):
        try:
            return OPERATORS[operator](value, wanted)
        except TypeError:
            return False
    return any(compare(value) for value in values)
