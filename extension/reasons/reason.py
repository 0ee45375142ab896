"""Reasons as stored: codes with parameters, which the surfaces phrase."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from extension.reasons.codes import ReasonCode
from extension.reasons.terms import in_words
from extension.reasons.texts import REASON_TEXTS

Parameter = str | int
"""Value of one parameter: a token, a number, a time, or words of the provider or the gateway."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason as code and parameters."""

    code: ReasonCode
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason as a sentence in English."""
        return _sentence(self.code, tuple(self.parameters.items()))


@lru_cache(maxsize=4096)  # of ten thousand results most have one of a few reasons
def _sentence(code: ReasonCode, parameters: tuple[tuple[str, Parameter], ...]) -> str:
    return REASON_TEXTS[code].format_map({name: in_words(name, value) for name, value in parameters})


@dataclass(frozen=True, slots=True)
class ReasonList:
    """Reasons of one result or action, in their order.

    `written` is the text in English, where the codes do not hold all of it: of an error, of a note by a person, or of
    a row that an earlier version stored. The last two have no codes.
    """

    items: tuple[Reason, ...] = ()
    written: str = ""

    @property
    def text(self) -> str:
        """The reasons as sentences in English."""
        return self.written or " ".join(reason.text for reason in self.items)

    @property
    def codes(self) -> tuple[ReasonCode, ...]:
        """The codes alone."""
        return tuple(reason.code for reason in self.items)

    def __bool__(self) -> bool:
        """Return whether there is any reason."""
        return bool(self.items or self.written)

    def __add__(self, other: "ReasonList") -> "ReasonList":
        """Return these reasons and further ones; text without codes leaves none to the whole."""
        if not (self.written or other.written):
            return ReasonList(self.items + other.items)
        coded = all(each.items for each in (self, other) if each)
        return ReasonList(self.items + other.items if coded else (), " ".join(filter(None, (self.text, other.text))))

    def redacted(self, redact: Callable[[str], str]) -> "ReasonList":
        """Return the reasons with every text among their parameters redacted."""
        items = (
            Reason(each.code, {name: redact(it) if isinstance(it, str) else it for name, it in each.parameters.items()})
            for each in self.items
        )
        return ReasonList(tuple(items), redact(self.written) if self.written else "")

    def as_json(self) -> list[dict[str, Any]]:
        """Return the codes with their parameters as JSON."""
        return [{"code": each.code.value, "params": dict(each.parameters)} for each in self.items]

    @classmethod
    def stored(cls, items: Sequence[Mapping[str, Any]], written: str) -> "ReasonList":
        """Return the reasons of a stored row; codes of a newer version are left out."""
        known = (each for each in items if each["code"] in REASON_TEXTS)
        return cls(tuple(Reason(ReasonCode(each["code"]), each["params"]) for each in known), written)


def because(code: ReasonCode, **parameters: Parameter) -> ReasonList:
    """Return one reason."""
    return ReasonList((Reason(code, parameters),))


NO_REASON = ReasonList()
"""No reason."""
