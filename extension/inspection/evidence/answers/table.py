"""Tables of answers: rows read from the data files beside this module.

Each row states under which conditions an answer has a meaning, and the public source that shows it. The first row that
matches wins, so the files go from one vendor's exact codes to words that many hosts share; sentences that excuse the
key come before all codes.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from extension.inspection.evidence.answers.meaning import Meaning

FILES: Final = ("sentences", "vendors", "chinese_vendors", "hosts", "relays", "general")
"""Data files, in the order in which their rows are tried."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """Row of a table; every condition that is given must hold.

    `statuses` are the HTTP statuses, `hosts` domains of the base URL. `code`, `type` and `detail_reason` are compared
    as text with the field at `path`, or with the usual places without one. Each of `words` occurs in the lower-case
    body, at least one of `any_words`, and none of `unless`. `vendor` names the origin and is no condition.
    """

    vendor: str
    meaning: Meaning
    about: str
    source: str
    statuses: frozenset[int] = frozenset()
    hosts: tuple[str, ...] = ()
    code: str = ""
    type: str = ""
    detail_reason: str = ""
    path: str = ""
    words: tuple[str, ...] = ()
    any_words: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    reset: str = ""
    documentation: bool = False

    def reads_status(self, status: int) -> bool:
        """Return whether the row reads an HTTP status itself, not only an error that was told with a success."""
        return not self.statuses or status in self.statuses


@cache
def answer_rows() -> tuple[AnswerRow, ...]:
    """Return all rows in the order in which they are tried; the files are read once."""
    folder = files("extension.inspection.evidence.answers")
    return tuple(
        row_of(fields)
        for name in FILES
        for fields in tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))["answer"]
    )


def row_of(fields: Mapping[str, Any]) -> AnswerRow:
    """Return the row that a table of a data file describes.

    Raises:
        ValueError: a field is unknown, or there is no condition.
    """
    rest = dict(fields)
    match = dict(rest.pop("match"))
    if not match:
        raise ValueError(f"A row of {rest.get('vendor')} has no condition.")
    statuses = frozenset(match.pop("status", ()))
    texts: dict[str, Any] = {name: tuple(match.pop(name, ())) for name in ("hosts", "words", "any_words", "unless")}
    meaning = Meaning(rest.pop("meaning"))
    try:
        return AnswerRow(**rest, **match, **texts, meaning=meaning, statuses=statuses)
    except TypeError as error:
        raise ValueError(f"A row of {rest.get('vendor')} has an unknown field: {error}.") from None
