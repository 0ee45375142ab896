"""Report of a command that could not begin: programs that read one find the error in it."""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Report
from . import FORMATS

_READ_BY_PROGRAMS = ("json", "sarif", "junit")
_OPTION = "--output-format"
_GROUPS = ("mirror", "patch", "upstream")
_WITH_A_VALUE = ("-C", "--config")


def failed_report(given: Sequence[str], text: str, advice: str) -> str:
    """Return the report in the format that the words of a command ask for; empty where that is one for people."""
    pairs = zip(given, [*given[1:], ""], strict=True)
    wanted = [
        after if word == _OPTION else word.removeprefix(f"{_OPTION}=") for word, after in pairs if _OPTION in word
    ]
    if not wanted or wanted[-1] not in _READ_BY_PROGRAMS:
        return ""
    report = Report(_command(given), unchecked=(f"{text}{f' ({advice})' if advice else ''}",))
    return FORMATS[wanted[-1]](report)


def _command(given: Sequence[str]) -> str:
    """Return the command without its options."""
    words = list(given)
    while words and words[0].startswith("-"):
        del words[: 2 if words[0] in _WITH_A_VALUE else 1]
    return " ".join(words[: 2 if words[:1] and words[0] in _GROUPS else 1])
