"""Sentences that earlier versions stored for the end of a run or batch, each with the code of its reason.

The only list of these sentences. The migration of stored texts reads it.
"""

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, Final

FORMER_REASONS: Final[Sequence[tuple[str, str]]] = (
    ("stopped", "Stopped by command."),
    ("finished_early", "Finished early by command."),
    ("work_canceled", "The work on it was cancelled."),
    ("service_closed", "The service was closed during the run."),
    ("service_closed", "The service was closed while the run was under way."),
    ("service_ended", "The service ended, or could not write to its database, during the run."),
    ("service_ended", "The service ended, or could not store any more, while the run was under way."),
    ("end_not_stored", "Its end could not be stored: {problem}"),
    (
        "concurrency_lowered",
        "Max concurrency was {most} instead of {limit}: the process may not open more files (ulimit -n).",
    ),
    ("ended_by_error", "An internal error ({error}) ended it. See the service's log."),
    ("ended_by_error", "An internal error ({error}) ended it."),
)
"""Code and sentence; the names in braces are parameters. The first sentence of a code is the latest one."""

_TROUBLE: Final = "ended_by_trouble"
_OTHER: Final = "other"
_NUMBERS: Final = frozenset({"most", "limit"})
_OF_THE_STORE: Final = ("The database refused:", "The database is closed.", "PostgreSQL ", "Another process has ")
"""Beginnings of texts of the store: a run whose end it refused was interrupted with them."""
_FAILED: Final = "failed"
_QUOTED: Final[Mapping[str, str]] = {_TROUBLE: "{said}", _OTHER: "{text}"}


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = (
        re.escape(text) + (f"(?P<{name}>{_value(name)})" if name else "")
        for text, name, _, _ in Formatter().parse(sentence)
    )
    return re.compile("".join(parts), re.DOTALL)


def _value(name: str) -> str:
    return r"\d+" if name in _NUMBERS else ".+"


_PATTERNS: Final = tuple((code, _pattern(sentence)) for code, sentence in FORMER_REASONS)


def reasons_of(text: str, state: str) -> list[dict[str, Any]]:
    """Return the stored text of a run or batch in a state as codes with parameters; empty for an empty text.

    Any other text with which it failed is the gateway's or the store's; a text of unknown origin becomes the parameter
    of `other`.
    """
    if not text:
        return []
    for code, pattern in _PATTERNS:
        if found := pattern.fullmatch(text):
            return [_reason(code, **found.groupdict())]
    if state == _FAILED or text.startswith(_OF_THE_STORE):
        return [_reason(_TROUBLE, said=text)]
    return [_reason(_OTHER, text=text)]


def text_of(reasons: Sequence[Mapping[str, Any]]) -> str:
    """Return the text that an earlier version would have stored for reasons; codes of later versions are left out."""
    sentences: dict[str, str] = dict(_QUOTED)
    for code, sentence in FORMER_REASONS:
        sentences.setdefault(code, sentence)
    known = (each for each in reasons if each["code"] in sentences)
    return " ".join(sentences[each["code"]].format_map(each["params"]) for each in known)


def _reason(code: str, **found: str) -> dict[str, Any]:
    return {"code": code, "params": {name: int(it) if name in _NUMBERS else it for name, it in found.items()}}
