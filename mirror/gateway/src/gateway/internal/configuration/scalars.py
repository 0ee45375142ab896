"""Plain YAML scalars, read like the stock gateway's parser.

That is YAML 1.2 with two remains of 1.1: octal numbers with a leading zero, and underscores in numbers. Words such as
``yes`` stay text, which boolean fields accept (see ``reading``). Unusually spelled numbers remember their spelling: an
API key such as ``12e4567`` must come out unchanged.
"""

import json
import re
from typing import Any

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
TRUES = frozenset({"true", "True", "TRUE"})
FALSES = frozenset({"false", "False", "FALSE"})

_INTEGER = re.compile(r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")


_YES = frozenset({"true", "yes", "on", "y"})
_NO = frozenset({"false", "no", "off", "n"})


class WrittenInt(int):
    """An unusually spelled integer, e.g. ``0x1F``; ``written`` is the spelling."""

    written: str


class WrittenFloat(float):
    """An unusually spelled float, e.g. ``1.50``; ``written`` is the spelling."""

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


def as_boolean(value: object) -> bool | None:
    """Return a boolean, also one of the older words yes, no, on and off; None for anything else."""
    word = (written(value) or "?").lower()
    if not isinstance(value, bool | str) or word not in _YES | _NO:
        return None
    return word in _YES


def written(value: object) -> str | None:
    """Return a scalar as written in the file; None for anything else."""
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


_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_./-]*\Z")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def scalar(value: object, style: str | None = None) -> str:
    """Return a scalar as inline text.

    Args:
        value: None, bool, int, float or str.
        style: Quote mark to use where a string allows it: ``'`` or ``"``.

    Raises:
        TypeError: Not a scalar.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            return _float_text(value)
        case str():
            return _string(value, style)
        case _:
            raise TypeError(f"a {type(value).__name__} is not a YAML scalar")


def _float_text(value: float) -> str:
    if value != value:  # noqa: PLR0124 - the test for not-a-number
        return ".nan"
    return {"inf": ".inf", "-inf": "-.inf"}.get(repr(float(value)), repr(float(value)))


def _string(value: str, style: str | None) -> str:
    if style is None and _PLAIN.match(value) and value.lower() not in _WORDS and resolve(value) == value:
        return value
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def flow(value: Any, style: str | None = None) -> str:
    """Format a value on one line, lists as ``[a, b]`` and mappings as ``{k: v}``."""
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    return scalar(value, style)


def block(value: Any, column: int, newline: str) -> str:
    """Format a value in block style, for a first line at ``column`` and the others indented to it."""
    between = newline + " " * column
    if isinstance(value, list) and value:
        return between.join("- " + block(item, column + 2, newline) for item in value)
    if isinstance(value, dict) and value:
        return between.join(pair(scalar(key), item, column, newline) for key, item in value.items())
    return flow(value)


def pair(key: str, value: Any, column: int, newline: str) -> str:
    """Format ``key: value`` in block style for a mapping at ``column``; the key is rendered already."""
    if isinstance(value, list | dict) and value:
        return f"{key}:{newline}{' ' * (column + 2)}{block(value, column + 2, newline)}"
    return f"{key}: {flow(value)}"
