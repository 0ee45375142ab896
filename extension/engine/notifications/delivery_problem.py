"""Problems of deliveries: stored as a sentence, and answered as code and parameters, too."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from extension.reasons.codes import ReasonCode as Code
from extension.reasons.reason import NO_REASON, Reason, ReasonList
from extension.texts.catalogue import REFERENCE, catalogue

_CODES: Final = (
    Code.DELIVERY_STATUS,
    Code.DELIVERY_TIMED_OUT,
    Code.DELIVERY_NO_CONNECTION,
    Code.DELIVERY_FAILED,
    Code.DELIVERY_NOT_TAKEN,
    Code.DELIVERY_NO_LIBRARY,
)


def delivery_reasons(problem: str) -> ReasonList:
    """Return the reason for the stored problem of a delivery; text alone for an unknown one."""
    for code, pattern in _patterns().items():
        found = pattern.fullmatch(problem)
        if found:
            return ReasonList((Reason(code, found.groupdict()),))
    return ReasonList(written=problem) if problem else NO_REASON


@cache
def _patterns() -> Mapping[Code, re.Pattern[str]]:
    """Return the pattern of each sentence, with its parameters as groups."""
    texts = {code: re.escape(catalogue(REFERENCE).template(f"reason.{code}")) for code in _CODES}
    return {code: re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", text)) for code, text in texts.items()}
