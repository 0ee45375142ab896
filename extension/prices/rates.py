"""Rates: the price of a unit in US dollars, with volume thresholds, and exact amounts in pico-USD."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeAlias

from extension.prices.units import INHERITS, Unit
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import Parameter, Reason

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
    """Return an amount of US dollars if it can be a price.

    Raises:
        RateInvalid: it is negative, infinite, absurdly high or has more than 18 decimals.
    """
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
        """Refuse what is no price."""
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
        """Refuse what is no price."""
        valid_amount(self.amount)
        if self.per <= 0:
            raise RateInvalid(ReasonCode.AMOUNT_FOR_NOTHING)
        bounds = [threshold.above for threshold in self.thresholds]
        if bounds != sorted(set(bounds)):
            raise RateInvalid(ReasonCode.THRESHOLDS_UNSORTED)

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
