"""Plain values as YAML text. Strings come out so that every YAML version reads the same string."""

import json
import re
from typing import Any

from gateway.internal.configuration.scalars import resolve

_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_./-]*\Z")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def scalar(value: object, style: str | None = None) -> str:
    """Return a scalar as inline text.

    Args:
        value: None, bool, int, float or str.
        style: The quote mark to keep where a string allows it: ``'`` or ``"``.

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
            return _float(value)
        case str():
            return _string(value, style)
        case _:
            raise TypeError(f"a {type(value).__name__} is not a YAML scalar")


def _float(value: float) -> str:
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
    """Return any value on one line, lists as ``[a, b]`` and mappings as ``{k: v}``."""
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    return scalar(value, style)


def block(value: Any, column: int, newline: str) -> str:
    """Return any value in block style, its first line to be put at ``column`` and the others indented to it."""
    between = newline + " " * column
    if isinstance(value, list) and value:
        return between.join("- " + block(item, column + 2, newline) for item in value)
    if isinstance(value, dict) and value:
        return between.join(pair(scalar(key), item, column, newline) for key, item in value.items())
    return flow(value)


def pair(key: str, value: Any, column: int, newline: str) -> str:
    """Return ``key: value`` in block style for a mapping at ``column``; the key is rendered already."""
    if isinstance(value, list | dict) and value:
        return f"{key}:{newline}{' ' * (column + 2)}{block(value, column + 2, newline)}"
    return f"{key}: {flow(value)}"
