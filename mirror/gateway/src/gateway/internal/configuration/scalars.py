"""What a plain YAML scalar means, read the way the stock gateway's parser reads it.

That is YAML 1.2 with two survivals from 1.1: octal numbers with a leading zero, and underscores in numbers. Words such
as ``yes`` stay text; a field that wants a boolean accepts them (see ``reading``). A number whose usual spelling differs
from what was written remembers the spelling: an API key such as ``12e4567`` must come out as it went in.
"""

import re

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
TRUES = frozenset({"true", "True", "TRUE"})
FALSES = frozenset({"false", "False", "FALSE"})

_INTEGER = re.compile(r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")


class WrittenInt(int):
    """An integer that was spelled unusually, e.g. ``0x1F``; ``written`` is the spelling."""

    written: str


class WrittenFloat(float):
    """A float that was spelled unusually, e.g. ``1.50``; ``written`` is the spelling."""

    written: str


def resolve(text: str) -> object:
    """Return the value of a plain (unquoted, untagged) scalar: None, bool, int, float or the text itself."""
    if text in NULLS:
        return None
    first = text[0]
    if first in "tTfF":
        return True if text in TRUES else False if text in FALSES else text
    if not (first.isdigit() or first in "+-."):
        return text
    return _number(text)


def _number(text: str) -> object:
    if _INTEGER.match(text):
        return _integer(text)
    if _NOT_FINITE.match(text):
        return _float(text, text.lower().replace(".", ""))
    if _FLOAT.match(text):
        return _float(text, text.replace("_", ""))
    return text


def _integer(text: str) -> object:
    digits = text.replace("_", "").lstrip("+-")
    if digits[:2] not in {"0x", "0o", "0b"} and len(digits) > 1 and digits.startswith("0"):
        digits = "0o" + digits[1:]
    try:
        value = WrittenInt(int(digits, 0) * (-1 if text.startswith("-") else 1))
    except ValueError:
        return text
    if str(int(value)) == text:
        return int(value)
    value.written = text
    return value


def _float(text: str, normal: str) -> object:
    value = WrittenFloat(normal)
    if repr(float(value)) == text:
        return float(value)
    value.written = text
    return value


def written(value: object) -> str | None:
    """Return the text of a scalar as it stood in the file; None for anything that is not a scalar."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case WrittenInt() | WrittenFloat():
            return value.written
        case int() | float():
            return str(value)
        case _:
            return None
