"""Evidence of a probe as stored and shown: short, and free of secrets."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapter.port import Answer, NoAnswer
from adapter.privacy.secret import Redactor
from extension.inspection.requests.addresses import shown_address
from extension.inspection.requests.outcome import Attempt

_TOLD_HEADERS = frozenset(
    {"retry-after", "www-authenticate", "location", "content-type", "server", "cf-ray", "x-request-id", "request-id"}
)
_TOLD_PREFIXES = ("ratelimit", "x-ratelimit-", "anthropic-ratelimit-")
_MOST_HEADERS = 20
_LONGEST_VALUE = 200
_LONGEST_PROBLEM = 300
_MARGIN = 16_384
_CUT_EDGE = 4_096
_OK = 200
REPEATS_KEY = "Not shown: the answer may repeat a key."
"""The preview of an answer that holds a key of the pool in any encoding, or has too many readings to rule it out."""


@dataclass(frozen=True, slots=True)
class AttemptSummary:
    """One line of the attempt list. ``status`` is 0 without an answer or a request; ``problem`` says why."""

    method: str
    url: str
    status: int
    latency_ms: int
    problem: str


def preview_of(answer: Answer, length: int, redactor: Redactor) -> str:
    """Return the beginning of a body as one line, redacted before it is cut; nothing for 200.

    Only as much of a large body is redacted as can show. Where that cut may have halved a secret, so that it is not
    recognised any more, the edge is dropped.
    """
    if answer.status == _OK or length == 0:
        return ""
    if answer.repeats_key:
        return REPEATS_KEY[:length]
    window = answer.body[: length + _MARGIN]
    redacted = redactor.redact(window)
    if len(window) < len(answer.body):
        redacted = redacted[:-_CUT_EDGE]
    if not redacted.isprintable():
        redacted = "".join(mark if mark.isprintable() else " " for mark in redacted)
    line = " ".join(redacted.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def headers_of(answer: Answer, redactor: Redactor) -> dict[str, str]:
    """Return the headers that explain an answer, by lower-case name; cookies and the like are never kept."""
    headers: dict[str, str] = {}
    if answer.repeats_key:
        return headers
    for name, values in answer.header.items():
        lower = name.lower()
        if lower in _TOLD_HEADERS or lower.startswith(_TOLD_PREFIXES):
            value = ", ".join(values)
            shown = shown_address(value) if lower == "location" else value
            headers[lower] = redactor.redact(shown)[:_LONGEST_VALUE]
    return dict(sorted(headers.items())[:_MOST_HEADERS])


def problem_of(attempt: Attempt, redactor: Redactor) -> str:
    """Return why an attempt has no answer, in a few words; nothing when it has one."""
    if attempt.trouble is not None:
        return redactor.redact(attempt.trouble.text)[:_LONGEST_PROBLEM]
    if isinstance(attempt.answer, NoAnswer):
        outcome = (
            f"{attempt.answer.kind}: {attempt.answer.detail}" if attempt.answer.detail else str(attempt.answer.kind)
        )
        return redactor.redact(outcome)[:_LONGEST_PROBLEM]
    return ""


def summarise(attempts: Sequence[Attempt], redactor: Redactor) -> tuple[AttemptSummary, ...]:
    """Return the attempt list of a probe in the order it was sent."""
    return tuple(
        AttemptSummary(
            method=attempt.request.method,
            url=redactor.redact(shown_address(attempt.request.url)),
            status=attempt.status or 0,
            latency_ms=attempt.milliseconds,
            problem=problem_of(attempt, redactor),
        )
        for attempt in attempts
    )
