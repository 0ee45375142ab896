"""The environment the gateway runs in: that of the process, and what a ``.env`` file adds to it."""

import re
from collections.abc import Mapping
from pathlib import Path

from gateway.internal.configuration.files import SystemFiles

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.]*)\s*[=:]\s*(.*?)\s*\Z")
_ESCAPES = {"n": "\n", "r": "\r", '"': '"', "\\": "\\", "$": "$"}


def with_file(environment: Mapping[str, str], path: Path) -> dict[str, str]:
    """Return the environment with what a file of ``NAME=value`` lines adds; what is set already stays as it is.

    A file that is not there, or cannot be read, adds nothing.
    """
    try:
        text = SystemFiles().read(path).decode("utf-8", "replace")
    except OSError:
        return dict(environment)
    return parse(text) | dict(environment)


def parse(text: str) -> dict[str, str]:
    """Return what ``NAME=value`` lines say; blank lines, comments and lines of another form say nothing.

    A value may stand in single quotes, as it is, or in double quotes, where a backslash escapes. Without quotes it
    ends before `` #``.
    """
    found = (_LINE.match(line) for line in text.splitlines() if not line.lstrip().startswith("#"))
    return {line[1]: _value(line[2]) for line in found if line}


def _value(text: str) -> str:
    for quote in "'\"":
        end = _closing(text, quote) if text.startswith(quote) else -1
        if end > 0:
            inside = text[1:end]
            return inside if quote == "'" else re.sub(r"\\(.)", lambda one: _ESCAPES.get(one[1], one[0]), inside)
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].rstrip()


def _closing(text: str, quote: str) -> int:
    """Return where a quoted value ends; -1 when it does not."""
    at = 1
    while at < len(text):
        if text[at] == quote:
            return at
        at += 2 if text[at] == "\\" and quote == '"' else 1
    return -1
