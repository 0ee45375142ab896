"""Matcher: the row of the tables that reads an answer."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from adapter.port import Answer
from extension.inspection.evidence import lenient_json as foreign_json
from extension.inspection.evidence.answers.table import AnswerRow, answer_rows
from extension.inspection.requests.addresses import host_of, is_at_home

PLACES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "code": (
            "error.code", "code", "detail.code", "errors[].code", "base_resp.status_code", "error_code",
            "header.code", "Response.Error.Code", "status_code", "error",
        ),
        "type": ("error.type", "type", "error.error.type"),
        "detail_reason": ("error.details[].reason", "reason", "error.reason"),
    }
)  # fmt: skip
"""Usual places of the machine-readable fields of an error body; `[]` goes through a list."""

_TEXT_LIMIT: Final = 16_384
"""Characters of a body whose words are read: an error that is longer repeats the request."""


@dataclass(frozen=True, slots=True)
class _ReadableAnswer:
    """Answer taken apart for the rows, once."""

    status: int
    host: str
    body: Any
    text: str
    fields: Mapping[str, frozenset[str]]


def row_for(answer: Answer, url: str, rows: Iterable[AnswerRow] | None = None) -> AnswerRow | None:
    """Return the first row that reads an answer of a URL, or None."""
    known = _readable(answer, url)
    return next((row for row in (answer_rows() if rows is None else rows) if _matches(row, known)), None)


def _readable(answer: Answer, url: str) -> _ReadableAnswer:
    text = answer.body[:_TEXT_LIMIT]
    try:
        body = foreign_json.parse(answer.body)
    except ValueError:
        body = None
    if isinstance(body, dict | list):
        # Codes and words are compared in one writing, whatever an encoder escaped.
        text = json.dumps(body, ensure_ascii=False)[:_TEXT_LIMIT]
    fields = {name: frozenset(value for path in paths for value in _at(body, path)) for name, paths in PLACES.items()}
    return _ReadableAnswer(answer.status, host_of(url), body, text.lower(), fields)


def _matches(row: AnswerRow, known: _ReadableAnswer) -> bool:
    if row.statuses and known.status not in row.statuses:
        return False
    for name in PLACES:
        expected_value = getattr(row, name)
        if expected_value and expected_value not in (_at(known.body, row.path) if row.path else known.fields[name]):
            return False
    if row.hosts and not any(is_at_home(f"https://{known.host}", domain) for domain in row.hosts):
        return False
    return all(word in known.text for word in row.words)


def _at(body: Any, path: str) -> tuple[str, ...]:
    """Return the texts and whole numbers at a dotted path; a body that is a list is read at its first element."""
    values = [body[0] if isinstance(body, list) and body else body]
    for part in path.split("."):
        step, many = part.removesuffix("[]"), part.endswith("[]")
        values = [value[step] for value in values if isinstance(value, dict) and step in value]
        if many:
            values = list(_members(values))
    return tuple(str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool))


def _members(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from value
