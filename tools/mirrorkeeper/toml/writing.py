"""Text for TOML files that machines write: strings, tables in one line, long texts. Pure."""

from __future__ import annotations

from collections.abc import Mapping

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\f": "\\f", "\r": "\\r"}


def _escaped(text: str, kept: str = "") -> str:
    parts = []
    for sign in text:
        if sign in kept:
            parts.append(sign)
        elif sign in _ESCAPES:
            parts.append(_ESCAPES[sign])
        elif sign < " " or "\x7f" <= sign <= "\x9f":
            parts.append(f"\\u{ord(sign):04X}")
        else:
            parts.append(sign)
    return "".join(parts)


def toml_text(text: str) -> str:
    """A string on one line."""
    return f'"{_escaped(text)}"'


def toml_long_text(text: str) -> str:
    """A string with its line breaks kept as they are, for texts people want to read."""
    return f'"""\n{_escaped(text, kept=chr(10))}"""'


def toml_texts(texts: tuple[str, ...]) -> str:
    """A list of strings on one line."""
    return f"[{', '.join(toml_text(text) for text in texts)}]"


def toml_inline(values: Mapping[str, str]) -> str:
    """A table of strings on one line, in the given order."""
    return "{ " + ", ".join(f"{key} = {toml_text(value)}" for key, value in values.items()) + " }"
