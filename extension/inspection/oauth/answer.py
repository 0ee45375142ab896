"""Answers of checks: the use they tell, read as the type of the file writes it."""

from dataclasses import replace
from typing import Final

from adapter.port import Answer
from extension.inspection.accounts.families import ProbeEndpoint
from extension.inspection.evidence import lenient_json as foreign_json
from extension.inspection.oauth.readings import QuotaUsage
from extension.inspection.oauth.types import TYPES
from extension.inspection.requests.outcome import ProbeRequest

_TELLING: Final = frozenset({ProbeEndpoint.USAGE, ProbeEndpoint.BILLING})
_MOST_WINDOWS: Final = 100
_LONGEST_NAME: Final = 80


def usage_in(token: str, request: ProbeRequest, answer: Answer) -> QuotaUsage | None:
    """Return the use a 2xx answer tells; None for an answer that is proof by itself, such as one of a chat.

    An answer that cannot be read, or names more windows than any account has, yields an empty usage and never
    a healthy one.
    """
    if request.endpoint not in _TELLING:
        return None
    reading = next(check.reading for check in TYPES[token].checks if check.endpoint is request.endpoint)
    try:
        value = foreign_json.parse(answer.body)
    except ValueError:
        return QuotaUsage()
    usage = reading(value) if isinstance(value, dict) else QuotaUsage()
    if len(usage.windows) > _MOST_WINDOWS:
        return QuotaUsage()
    short = (
        replace(window, name=window.name[:_LONGEST_NAME], pool=window.pool[:_LONGEST_NAME]) for window in usage.windows
    )
    return replace(usage, windows=tuple(short))
