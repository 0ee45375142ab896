"""Answers of checks: the use they tell, read as the type of the file writes it."""

import json

from adapter.port import Answer
from extension.inspection.families import Endpoint
from extension.inspection.oauth.readings import Usage
from extension.inspection.oauth.types import TYPES
from extension.inspection.outcome import ProbeRequest

_TELLING = frozenset({Endpoint.USAGE, Endpoint.BILLING})


def usage_in(token: str, request: ProbeRequest, answer: Answer) -> Usage | None:
    """Return the use a 2xx answer tells; None for an answer that is proof by itself, such as one of a chat.

    What cannot be read tells nothing, which is an empty usage and never a healthy one.
    """
    if request.endpoint not in _TELLING:
        return None
    reading = next(check.reading for check in TYPES[token].checks if check.endpoint is request.endpoint)
    try:
        value = json.loads(answer.body)
    except (ValueError, RecursionError):
        return Usage()
    return reading(value) if isinstance(value, dict) else Usage()
