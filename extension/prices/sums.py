"""Sums of costs that remember what they leave out, and amounts as text."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Self

from extension.prices.cost import RequestCost
from extension.prices.rates import PICO

AT_LEAST: Final = "≥ "
"""Mark before a sum that leaves something out."""
UNKNOWN: Final = "unknown"
_CENTS: Final = Decimal("0.01")
_SMALL: Final = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class CostSum:
    """Sum of the known costs of `requests`; `incomplete` of them have an unknown part, `unknown` no known part."""

    pico: int = 0
    requests: int = 0
    incomplete: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, costs: Iterable[RequestCost]) -> Self:
        """Sum up costs."""
        pico = requests = incomplete = unknown = 0
        for cost in costs:
            requests += 1
            known = cost.pico
            if known is None:
                unknown += 1
            else:
                pico += known
                incomplete += cost.partial
        return cls(pico, requests, incomplete, unknown)

    def __add__(self, other: "CostSum") -> "CostSum":
        return CostSum(
            self.pico + other.pico,
            self.requests + other.requests,
            self.incomplete + other.incomplete,
            self.unknown + other.unknown,
        )

    @property
    def known(self) -> bool:
        """Return whether anything of the sum is known; a sum over nothing is zero."""
        return self.unknown < self.requests or not self.requests

    @property
    def partial(self) -> bool:
        """Return whether the sum is a lower bound."""
        return self.known and bool(self.incomplete or self.unknown)

    def text(self) -> str:
        """Write the sum for people, with its mark; an unknown one in words."""
        return usd_text(self.pico, partial=self.partial) if self.known else UNKNOWN


def usd(pico: int) -> Decimal:
    """Convert pico-USD to US dollars, exactly."""
    return Decimal(pico).scaleb(-12) if pico % PICO else Decimal(pico // PICO)


def usd_text(pico: int, *, partial: bool = False) -> str:
    """Write an amount for people: cents, or more digits where cents would hide it."""
    amount = usd(pico)
    if amount == 0 or amount >= 1:
        shown = f"${amount.quantize(_CENTS):,}"
    else:
        shown = f"${(amount if amount < _SMALL else amount.quantize(_SMALL)).normalize():f}"
    return f"{AT_LEAST}{shown}" if partial else shown
