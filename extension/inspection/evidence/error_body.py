"""Error bodies: codes, message and reset time, as far as providers agree on their form."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from adapter.port import Answer
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence.event_stream import parsed_body

_ASKING = frozenset({ProbeEndpoint.CHAT, ProbeEndpoint.MESSAGES, ProbeEndpoint.GENERATE, ProbeEndpoint.RESPONSES})
_MODEL_CODES = frozenset({"model_not_found", "invalid_model", "unknown_model", "model_not_supported"})
_MODEL_STATUSES = frozenset({400, 404, 422})
_MODEL_TEXT = re.compile(
    r"\bmodels?\b.{0,120}\b(not found|not exist|unknown|not supported|unsupported|not available|invalid|no access)\b"
    r"|\b(no such|unknown|unsupported|invalid) models?\b"
    r"|^models?:",
    re.IGNORECASE | re.DOTALL,
)
_CAP_TEXT = re.compile(r"\bmax_(completion_)?tokens\b", re.IGNORECASE)
_CAP_CODES = frozenset({"unsupported_parameter"})
_QUOTA_TEXT = re.compile(
    r"insufficient[ _](quota|balance|credit|funds)|quota[ _](exceeded|exhausted)|exceeded your current quota"
    r"|usage[ _]limit|credit balance|out of credits|billing",
    re.IGNORECASE,
)
_RESET_FIELD = re.compile(r"^(quota_?)?resets?(_?(at|in|time|after|date|in_seconds|in_secs|delay))?$", re.IGNORECASE)
_CODE = re.compile(r"^[A-Za-z][A-Za-z0-9_.-]{1,59}$")
_WORDS = re.compile(r"^[a-z]{2,20}(_[a-z]{2,20}){0,4}$")
"""The codes that are read from a body that repeats a key: words, which no key looks like."""
_MESSAGES = ("message", "detail", "error", "msg", "error_msg", "status_msg", "status_message", "errors")
_DEEPEST = 4
_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?\s?(s|seconds?)?", re.ASCII)
_LONGEST_DATE = 40


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """An error body taken apart: machine codes from the most to the least exact, one message, a reset time if given."""

    codes: tuple[str, ...] = ()
    message: str = ""
    reset: str = ""

    @property
    def code(self) -> str:
        """The most exact machine code, or nothing."""
        return self.codes[0] if self.codes else ""


def parse_error_body(answer: Answer) -> ErrorBody:
    """Parse the body of an answer that is an error; an unreadable body yields an empty one.

    Of a body that repeats a key nothing is read that could be part of it.
    """
    try:
        value = parsed_body(answer.body)
    except ValueError:
        return ErrorBody()
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return ErrorBody()
    error = value.get("error")
    inner: Mapping[str, Any] = error if isinstance(error, dict) else {}
    places = (inner, *map(_object, (value.get("detail"), value.get("base_resp"))), value)
    plain = _WORDS if answer.repeats_key else _CODE
    codes = [place[name] for place in places for name in ("code", "type", "status", "reason") if name in place]
    texts = [place[name] for place in places for name in _MESSAGES if name in place]
    return ErrorBody(
        codes=tuple(code for code in codes if isinstance(code, str) and plain.match(code) and code != "error"),
        message=next((text for text in map(_text, texts) if text), ""),
        reset="" if answer.repeats_key else next(_resets(value, _DEEPEST), ""),
    )


def blames_the_question(endpoint: ProbeEndpoint, status: int, complaint: ErrorBody) -> bool:
    """Return whether a chat answer complains about the model or the cap we sent, which says nothing about the key.

    A refused key (401) is never excused. A machine code counts with any other status; words only with the statuses
    that mean a bad question.
    """
    if endpoint not in _ASKING or status == 401:  # noqa: PLR2004 - the status of a refused key
        return False
    if _MODEL_CODES.intersection(code.lower() for code in complaint.codes):
        return True
    if status not in _MODEL_STATUSES:
        return False
    if _CAP_CODES.intersection(complaint.codes) and _CAP_TEXT.search(complaint.message):
        return True
    return bool(_MODEL_TEXT.search(complaint.message))


def blames_the_quota(complaint: ErrorBody) -> bool:
    """Return whether a 429 is about a quota that is used up, not about too many requests at once."""
    words = " ".join((*complaint.codes, complaint.message))
    return bool(complaint.reset or _QUOTA_TEXT.search(words))


def described(answer: Answer, complaint: ErrorBody) -> str:
    """Return status, machine code and when to come back, in brackets for the end of a sentence."""
    parts = [f"HTTP {answer.status}"]
    if complaint.code:
        parts.append(complaint.code)
    retry_after = answer.header_value("Retry-After")
    if retry_after:
        parts.append(f"Retry-After {retry_after}" if _is_time(retry_after) else "Retry-After that is no time")
    if complaint.reset:
        parts.append(f"resets {complaint.reset}")
    return f"({', '.join(parts)})"


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    """Return a message; of a list of errors that of the first."""
    if isinstance(value, list) and value:
        return _text(value[0].get("message") if isinstance(value[0], dict) else value[0])
    return value if isinstance(value, str) else ""


def _is_time(retry_after: str) -> bool:
    """Return whether a value names seconds, at most those of ten years, or a date."""
    if _SECONDS.fullmatch(retry_after):
        return True
    try:
        parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return False
    return len(retry_after) <= _LONGEST_DATE


def _resets(value: Any, depth: int) -> Iterator[str]:
    """Yield the values of fields that name a time of reset, outermost first."""
    if depth == 0 or not isinstance(value, dict):
        return
    for key, item in value.items():
        if _RESET_FIELD.match(str(key)) and isinstance(item, (str, int, float)) and not isinstance(item, bool) and item:
            yield str(item)[:60]
    for item in value.values():
        yield from _resets(item, depth - 1)
