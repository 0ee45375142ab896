"""Report of a command that could not begin: programs that read one find the error in it."""

from __future__ import annotations

from collections.abc import Sequence

from ..findings import Report
from . import FORMATS

_FOR_PEOPLE = "text"
_OPTION = "--output-format"
_GROUPS = ("mirror", "patch", "upstream")
_WITH_A_VALUE = ("-C", "--config")
_REPORTING = (
    "boundary",
    "contract",
    "entry",
    "gates",
    "mirror doctor",
    "mirror outdated",
    "mirror verify",
    "patch refresh",
)
"""Commands that print a report; the Markdown of a synchronization describes a change that was made."""


def failed_report(given: Sequence[str], text: str, advice: str) -> Report | None:
    """Return the report of a command that failed; None where the command prints none."""
    command = _command(given)
    if command not in _REPORTING:
        return None
    return Report(command, unchecked=(f"{text}{f' ({advice})' if advice else ''}",))


def format_for_programs(given: Sequence[str]) -> str:
    """Return the format that the words of a command ask for; empty where it is the one for people."""
    pairs = zip(given, [*given[1:], ""], strict=True)
    wanted = [
        after if word == _OPTION else word.removeprefix(f"{_OPTION}=") for word, after in pairs if _OPTION in word
    ]
    return wanted[-1] if wanted and wanted[-1] in FORMATS and wanted[-1] != _FOR_PEOPLE else ""


def _command(given: Sequence[str]) -> str:
    """Return the command without its options."""
    words = list(given)
    while words and words[0].startswith("-"):
        del words[: 2 if words[0] in _WITH_A_VALUE else 1]
    return " ".join(words[: 2 if words[:1] and words[0] in _GROUPS else 1])
