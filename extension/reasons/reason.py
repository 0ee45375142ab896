"""Reasons as stored: codes with parameters, which the surfaces phrase; in English by the reference catalogue."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from extension.reasons.codes import HoldCode, ReasonCode
from extension.texts.catalogue import REFERENCE, catalogue

Parameter = str | int
"""Value of one parameter: a token, a number, a time, or words of the provider or the gateway."""

TOKEN_PARAMETERS: Final = frozenset(
    [
        "key_finding",
        "file_finding",
        "meaning",
        "wall",
        "flaw",
        "silence",
        "request_part",
        "cron_part",
        "price_list",
        "list_problem",
        "budget_scope",
        "budget_period",
    ]
)
"""Names of parameters that are tokens, with words in the group `term` of the catalogue; others stand for themselves."""
IDENTIFIERS: Final = frozenset({"action", "entry", "first", "line", "run", "status"})
"""Names of parameters that are numbers of something; other numbers are amounts, with separators of thousands."""
_TIME: Final = "_at"  # end of the names of parameters that are times in integer milliseconds UTC
_CODES: Final = frozenset(ReasonCode)
_HOLD_CODES: Final = frozenset(HoldCode)


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
    return _phrased(f"reason.{code}", dict(parameters))


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
        coded = all(reasons.items for reasons in (self, other) if reasons)
        return ReasonList(self.items + other.items if coded else (), " ".join(filter(None, (self.text, other.text))))

    def redacted(self, redact: Callable[[str], str]) -> "ReasonList":
        """Return the reasons with every text among their parameters redacted."""
        items = (
            Reason(
                reason.code, {name: redact(it) if isinstance(it, str) else it for name, it in reason.parameters.items()}
            )
            for reason in self.items
        )
        return ReasonList(tuple(items), redact(self.written) if self.written else "")

    def as_json(self) -> list[dict[str, Any]]:
        """Return the codes with their parameters as JSON."""
        return [{"code": reason.code.value, "params": dict(reason.parameters)} for reason in self.items]

    @classmethod
    def stored(cls, items: Sequence[Mapping[str, Any]], written: str) -> "ReasonList":
        """Return the reasons of a stored row; codes of a newer version are left out."""
        known = (item for item in items if item["code"] in _CODES)
        return cls(tuple(Reason(ReasonCode(item["code"]), item["params"]) for item in known), written)


def because(code: ReasonCode, **parameters: Parameter) -> ReasonList:
    """Return one reason."""
    return ReasonList((Reason(code, parameters),))


NO_REASON = ReasonList()
"""No reason."""


@dataclass(frozen=True, slots=True)
class HoldReason:
    """Reason of an action on hold as code and parameters."""

    code: HoldCode
    parameters: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason as a sentence in English."""
        return _phrased(f"hold_reason.{self.code}", self.parameters)


def hold_text(code: str, parameters: Mapping[str, int]) -> str:
    """Return the reason of a stored code as a sentence in English; empty for an unknown code, or none."""
    return HoldReason(HoldCode(code), parameters).text if code in _HOLD_CODES else ""


def term(name: str, token: str) -> str:
    """Return the words for a token, which are the token itself where the catalogue has none."""
    texts = catalogue(REFERENCE)
    key = f"term.{name}_{token}"
    return texts.text(key) if texts.has(key) else token.replace("_", " ").capitalize()


def shown_time(milliseconds: int) -> str:
    """Return a time for people, in UTC to the minute; far-off nonsense stays a number."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)


def _phrased(key: str, parameters: Mapping[str, Parameter]) -> str:
    words = {name: _in_words(name, value) for name, value in parameters.items()}
    return catalogue(REFERENCE).template(key).format_map(words)


def _in_words(name: str, value: Parameter) -> str:
    """Return a parameter as it stands in a sentence."""
    if name.endswith(_TIME) and isinstance(value, int):
        return shown_time(value)
    if isinstance(value, int) and name not in IDENTIFIERS:
        return f"{value:,}"
    return term(name, str(value)) if name in TOKEN_PARAMETERS else str(value)
