"""Reasons as answered: code and parameters, beside the sentence that phrases them."""

from typing import Self

from extension.api.payloads.payload import Payload
from extension.reasons.reason import ReasonList


class ReasonView(Payload):
    """One reason for programs; `docs/verdicts.md` lists the codes with their sentences and parameters."""

    code: str
    params: dict[str, str | int]

    @classmethod
    def all_of(cls, reasons: ReasonList) -> tuple[Self, ...]:
        """Show reasons; none for a note of a person or a row of an earlier version, which have text alone."""
        return tuple(cls(code=each.code.value, params=dict(each.parameters)) for each in reasons.items)
