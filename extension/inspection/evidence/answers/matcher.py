"""Matcher: the row of the tables that reads an answer."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from adapter.port import Answer
from extension.inspection.evidence.answers.meaning import KEY_MEANINGS, Meaning
from extension.inspection.evidence.answers.table import AnswerRow, answer_rows
from extension.inspection.evidence.blame import quotes_another_error
from extension.inspection.evidence.event_stream import parsed_body
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

QUOTED: Final = AnswerRow("any relay", Meaning.PROVIDER_ERROR, "host", "https://docs.litellm.ai/docs/exception_mapping")
"""Row of an error that a relay quotes from the host behind it."""

_REFUSALS: Final = frozenset({401, 402, 403, 412, 429})
"""Statuses that would count against a key although no row reads the answer."""
_COUNTED: Final = KEY_MEANINGS | {Meaning.OUT_OF_QUOTA, Meaning.RATE_LIMITED}
_REFUSED_STATUSES: Final = range(400, 600)
_SUCCESSES: Final = frozenset({"0", "200", "true", "ok", "success"})
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
    disguised: bool
    own_status: int = 0
    """Status that an error told with a success names in its body."""


def row_for(answer: Answer, url: str, rows: Iterable[AnswerRow] | None = None) -> AnswerRow | None:
    """Return the first row that reads an answer of a URL, or None.

    An error told with a success has no status of its own, so that any row may read it. What would count against
    the key, its account or its quota is the relay's trouble where it is quoted.
    """
    known = _readable(answer, url)
    row = next((row for row in (answer_rows() if rows is None else rows) if _matches(row, known)), None)
    blames = known.status in _REFUSALS if row is None else row.meaning in _COUNTED
    return QUOTED if blames and quotes_another_error(known.body) else row


def _readable(answer: Answer, url: str) -> _ReadableAnswer:
    text = answer.body[:_TEXT_LIMIT]
    try:
        body = parsed_body(answer.body)
    except ValueError:
        body = None
    if isinstance(body, dict | list):
        # Codes and words are compared in one writing, whatever an encoder escaped.
        text = json.dumps(body, ensure_ascii=False)[:_TEXT_LIMIT]
    fields = {name: frozenset(value for path in paths for value in _at(body, path)) for name, paths in PLACES.items()}
    disguised = answer.status // 100 == 2 and _is_error(body)  # noqa: PLR2004 - the class of success
    statuses = (int(code) for code in fields["code"] if disguised and code.isascii() and code.isdigit())
    own_status = next((status for status in statuses if status in _REFUSED_STATUSES), 0)
    return _ReadableAnswer(answer.status, host_of(url), body, text.lower(), fields, disguised, own_status)


def _is_error(body: Any) -> bool:
    """Return whether a JSON body tells an error: by an object of its own, or by a code beside a message."""
    if not isinstance(body, dict):
        return False
    code, message = body.get("code"), body.get("message") or body.get("msg")
    has_error_code = isinstance(code, int | str) and str(code).lower() not in _SUCCESSES
    return bool(body.get("error") or body.get("errors") or body.get("success") is False or (has_error_code and message))


def _matches(row: AnswerRow, known: _ReadableAnswer) -> bool:
    statusless = known.disguised and not known.own_status and _reads_the_body(row)
    if row.statuses and not statusless and not row.statuses.intersection({known.status, known.own_status}):
        return False
    for name in PLACES:
        expected_value = getattr(row, name)
        if expected_value and expected_value not in (_at(known.body, row.path) if row.path else known.fields[name]):
            return False
    if row.hosts and not any(is_at_home(f"https://{known.host}", domain) for domain in row.hosts):
        return False
    if row.any_words and not any(word in known.text for word in row.any_words):
        return False
    return all(word in known.text for word in row.words) and not any(word in known.text for word in row.unless)


def _reads_the_body(row: AnswerRow) -> bool:
    return bool(row.code or row.type or row.detail_reason or row.words or row.any_words)


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
