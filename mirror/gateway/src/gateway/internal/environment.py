"""Environment of the gateway: the process's, and a ``.env`` file."""

import re
from collections.abc import Mapping
from pathlib import Path

from gateway.internal.configuration.files import SystemFiles

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*[=:]\s*(.*?)\s*\Z")
_ESCAPES = {"n": "\n", "r": "\r", '"': '"', "\\": "\\", "$": "$"}


def with_file(environment: Mapping[str, str], path: Path) -> dict[str, str]:
    """Return the environment with a file of ``NAME=value`` lines added; variables of the process take precedence."""
    try:
        text = SystemFiles().read(path).decode("utf-8", "replace")
    except OSError:
        return dict(environment)
    return parse(text) | dict(environment)


def parse(text: str) -> dict[str, str]:
    """Return the variables in ``NAME=value`` lines; other lines are ignored.

    A value may have single quotes, without escapes, or double quotes, with backslash escapes. Without quotes it ends
    before `` #``.
    """
    matches = (_LINE.match(match) for match in text.splitlines() if not match.lstrip().startswith("#"))
    return {match[1]: _value(match[2]) for match in matches if match}


def _value(text: str) -> str:
    for quote in "'\"":
        end = _closing(text, quote) if text.startswith(quote) else -1
        if end > 0:
            inside = text[1:end]
            return inside if quote == "'" else re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), inside)
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].rstrip()


def _closing(text: str, quote: str) -> int:
    """Return the end of a quoted value, or -1."""
    at = 1
    while at < len(text):
        if text[at] == quote:
            return at
        at += 2 if text[at] == "\\" and quote == '"' else 1
    return -1
