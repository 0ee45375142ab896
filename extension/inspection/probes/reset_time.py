"""Reset time of a quota that is used up, where the answer tells it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from email.utils import parsedate_to_datetime
from itertools import chain
from typing import Final

from adapter.port import Answer
from extension.inspection.evidence.error_body import parse_error_body
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.oauth.values import moment, number
from extension.inspection.probes.reset_text import times_in
from extension.inspection.requests.outcome import Attempt

_EPOCH_FROM: Final = 1_000_000_000
"""A number of this size or more is a time, a smaller one the seconds until it."""
_LONGEST: Final = 32 * 86_400_000
"""No quota lasts longer than a month, so that a later time is another kind of date."""
_SECONDS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*s(?:econds?)?")


def reset_of(verdict: Verdict, attempts: Sequence[Attempt], now: int) -> int | None:
    """Return when the quota ends that a probe found used up; None for other verdicts and where no answer tells."""
    answers = [attempt.answer for attempt in reversed(attempts) if isinstance(attempt.answer, Answer)]
    if verdict is not Verdict.OUT_OF_QUOTA:
        return None
    return next((time for answer in answers if (time := reset_time(answer, now)) is not None), None)


def reset_time(answer: Answer, now: int) -> int | None:
    """Return when the limit of an answer ends (ms UTC), counted from `now`; None where it tells no time to come.

    A field of the body counts before the header, and that before the words, which any relay passes on.
    """
    body = parse_error_body(replace(answer, repeats_key=False))
    fields = (_time(text.strip(), now) for text in (body.reset, answer.header_value("Retry-After") or "") if text)
    times = chain(fields, times_in(body.message or _plain(answer.body), now))
    return next((time for time in times if time is not None and now < time <= now + _LONGEST), None)


def _plain(body: str) -> str:
    return "" if body.lstrip().startswith(("{", "[", "<")) else body


def _time(text: str, now: int) -> int | None:
    if not text.isascii():
        return None
    seconds = _SECONDS.fullmatch(text)
    count = number(seconds[1] if seconds else text)
    if count is not None:
        return moment(count) if count >= _EPOCH_FROM else now + round(count * 1000)
    try:
        return moment(text) or round(parsedate_to_datetime(text).timestamp() * 1000)
    except ValueError:
        return None
