"""Rates: billable units, amounts for a number of them, and their form in JSON."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Parameter, Reason
from extension.usage.event import BUCKETS, TokenCounts


class Unit(StrEnum):
    """A thing that is counted and priced; the token units are the buckets of `TokenCounts`."""

    INPUT = "input"
    CACHE_READ = "cache_read"
    CACHE_WRITE_5M = "cache_write_5m"
    CACHE_WRITE_1H = "cache_write_1h"
    OUTPUT = "output"
    REASONING = "reasoning"
    AUDIO_IN = "audio_in"
    AUDIO_OUT = "audio_out"
    IMAGE_IN = "image_in"
    IMAGE_OUT = "image_out"
    REQUESTS = "requests"
    IMAGES = "images"
    SECONDS = "seconds"
    SEARCHES = "searches"


TOKEN_UNITS: Final = tuple(Unit(bucket) for bucket in BUCKETS)
"""The units that are tokens."""

INPUT_UNITS: Final = (
    Unit.INPUT,
    Unit.CACHE_READ,
    Unit.CACHE_WRITE_5M,
    Unit.CACHE_WRITE_1H,
    Unit.AUDIO_IN,
    Unit.IMAGE_IN,
)
"""The units whose sum decides on volume thresholds."""

INHERITS: Final[Mapping[Unit, Unit]] = MappingProxyType(
    {
        Unit.CACHE_READ: Unit.INPUT,
        Unit.CACHE_WRITE_5M: Unit.INPUT,
        Unit.CACHE_WRITE_1H: Unit.CACHE_WRITE_5M,
        Unit.AUDIO_IN: Unit.INPUT,
        Unit.IMAGE_IN: Unit.INPUT,
        Unit.REASONING: Unit.OUTPUT,
        Unit.AUDIO_OUT: Unit.OUTPUT,
        Unit.IMAGE_OUT: Unit.OUTPUT,
    }
)
"""The unit whose rate applies where a list has no rate for a unit of its own: lists name only the exceptions."""

MILLION: Final = 1_000_000
PER: Final[Mapping[Unit, int]] = MappingProxyType(
    {unit: MILLION if unit in TOKEN_UNITS else 1_000 if unit is Unit.SEARCHES else 1 for unit in Unit}
)
"""The count that an amount of a unit is quoted for."""


def counted(tokens: TokenCounts) -> Iterator[tuple[Unit, int]]:
    """Yield the token units of a request that are not zero, with their counts."""
    for unit in TOKEN_UNITS:
        count = getattr(tokens, unit.value)
        if count:
            yield unit, count


def input_tokens(tokens: TokenCounts) -> int:
    """Count all tokens of the input, cached or not."""
    return sum(getattr(tokens, unit.value) for unit in INPUT_UNITS)


PICO: Final = 10**12
"""Pico-USD of one US dollar."""
HIGHEST: Final = Decimal(1_000_000)
"""Highest amount that is believed; anything above is a mistake in a list."""
_DECIMALS: Final = 18


class RateInvalid(ValueError):  # noqa: N818 - it names the problem
    """An amount that is no price; `reason` says why."""

    def __init__(self, code: ReasonCode, **parameters: Parameter) -> None:
        self.reason = Reason(code, parameters)
        super().__init__(self.reason.text)


def valid_amount(amount: Decimal) -> Decimal:
    """Return an amount of US dollars if it can be a price, or raise `RateInvalid`."""
    if not amount.is_finite() or amount < 0 or amount > HIGHEST:
        raise RateInvalid(ReasonCode.AMOUNT_OUT_OF_RANGE, bound=str(HIGHEST))
    exponent = amount.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > _DECIMALS:
        raise RateInvalid(ReasonCode.AMOUNT_TOO_FINE, bound=_DECIMALS)
    return amount


@dataclass(frozen=True, slots=True)
class Threshold:
    """Amount for a whole request whose input has more than `above` tokens."""

    above: int
    amount: Decimal

    def __post_init__(self) -> None:
        """Refuse an amount that is no price."""
        valid_amount(self.amount)
        if self.above <= 0:
            raise RateInvalid(ReasonCode.THRESHOLD_NOT_POSITIVE)


@dataclass(frozen=True, slots=True)
class Rate:
    """Amount in US dollars for `per` units; `thresholds` ascend."""

    amount: Decimal
    per: int
    thresholds: tuple[Threshold, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an amount that is no price."""
        valid_amount(self.amount)
        if self.per <= 0:
            raise RateInvalid(ReasonCode.AMOUNT_FOR_NOTHING)
        bounds = [threshold.above for threshold in self.thresholds]
        if bounds != sorted(set(bounds)):
            raise RateInvalid(ReasonCode.THRESHOLDS_UNSORTED)

    def times(self, factor: Decimal) -> "Rate":
        """Return the rate with all amounts multiplied."""
        above = tuple(Threshold(threshold.above, threshold.amount * factor) for threshold in self.thresholds)
        return Rate(self.amount * factor, self.per, above)

    def threshold_for(self, tokens_in: int) -> Threshold | None:
        """Return the threshold that a request's input is above; None for the base amount."""
        passed = [threshold for threshold in self.thresholds if tokens_in > threshold.above]
        return passed[-1] if passed else None


Rates: TypeAlias = Mapping[Unit, Rate]


def pico_usd(amount: Decimal, per: int, count: int) -> int:
    """Compute the cost of `count` units in pico-USD.

    It is exact for amounts of up to six decimals per million; a finer one is rounded half to even, once.
    """
    numerator, denominator = _pico_of_one(amount, per)
    return count * numerator if denominator == 1 else round(Fraction(count * numerator, denominator))


@lru_cache(4_096)
def _pico_of_one(amount: Decimal, per: int) -> tuple[int, int]:
    """Compute the cost of one unit once: fractions are slow, and every event asks."""
    exact = Fraction(amount) * PICO / per
    return exact.numerator, exact.denominator


def rate_for(rates: Rates, unit: Unit) -> tuple[Unit, Rate] | None:
    """Find the rate of a unit, and the unit that it is quoted for; None when there is none."""
    current: Unit | None = unit
    while current is not None:
        rate = rates.get(current)
        if rate is not None:
            return current, rate
        current = INHERITS.get(current)
    return None


def rates_as_json(rates: Rates) -> dict[str, Any]:
    """Write rates as JSON values, in the order of the units."""
    return {unit.value: _rate_as_json(rates[unit]) for unit in Unit if unit in rates}


def rates_from_json(stored: Mapping[str, Any]) -> Rates:
    """Read the rates that `rates_as_json` wrote, or raise `RateInvalid`."""
    return {_unit(name): _rate(_unit(name), value) for name, value in stored.items()}


def amount_text(amount: Decimal) -> str:
    """Write an amount without an exponent and without zeros at its end."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount_of(text: object) -> Decimal:
    """Read an amount, or raise `RateInvalid`."""
    try:
        return Decimal(str(text))
    except InvalidOperation:
        raise RateInvalid(ReasonCode.AMOUNT_NO_NUMBER) from None


def _rate_as_json(rate: Rate) -> dict[str, Any]:
    stored: dict[str, Any] = {"amount": amount_text(rate.amount), "per": rate.per}
    if rate.thresholds:
        stored["above"] = [
            {"tokens": threshold.above, "amount": amount_text(threshold.amount)} for threshold in rate.thresholds
        ]
    return stored


def _rate(unit: Unit, value: Mapping[str, Any]) -> Rate:
    above = tuple(Threshold(int(row["tokens"]), amount_of(row["amount"])) for row in value.get("above", ()))
    return Rate(amount_of(value["amount"]), int(value.get("per", PER[unit])), above)


def _unit(name: str) -> Unit:
    try:
        return Unit(name)
    except ValueError:
        raise RateInvalid(ReasonCode.UNIT_UNKNOWN, name=name, names=", ".join(Unit)) from None
