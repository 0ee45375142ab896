"""Prices of models: versions with their validity, by service tier, and the quote for one request."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any, Final, Self

from extension.prices.rate_json import rates_as_json, rates_from_json
from extension.prices.rates import Rates

STANDARD: Final = "standard"
"""The service tier of a request without any other."""
_STANDARD_NAMES: Final = frozenset({"", "auto", "default", "on_demand", "standard", "standard_only"})


class PriceSource(StrEnum):
    """Origin of a price."""

    OVERRIDE = "override"
    """Set by a person."""
    SYNCED = "synced"
    """Taken over by a person from a public list."""
    BUILT_IN = "built_in"
    """From the list that is shipped with the service."""
    LITELLM = "litellm"
    MODELS_DEV = "models_dev"


@dataclass(frozen=True, slots=True)
class Validity:
    """Times at which a price applies: from a date on, and within hours of the day (UTC)."""

    start: date | None = None
    hours: tuple[time, time] | None = None

    def covers(self, at: datetime) -> bool:
        """Decide whether a time (aware) is covered."""
        moment = at.astimezone(UTC)
        if self.start is not None and moment.date() < self.start:
            return False
        if self.hours is None:
            return True
        begin, end = self.hours
        now = moment.time()
        return begin <= now < end if begin <= end else now >= begin or now < end


ALWAYS: Final = Validity()


@dataclass(frozen=True, slots=True)
class PriceVersion:
    """Rates of one service tier within a validity; those of another tier than standard name the exceptions only."""

    rates: Rates
    valid: Validity = ALWAYS
    service_tier: str = STANDARD


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """Prices of a model of a provider in one list; later versions take precedence."""

    provider: str
    model: str
    source: PriceSource
    versions: tuple[PriceVersion, ...]

    def quote(self, at: datetime, service_tier: str) -> "Quote | None":
        """Quote the rates at a time; None when there are none for the tier then."""
        active = [version for version in self.versions if version.valid.covers(at)]
        standard = next((version for version in reversed(active) if version.service_tier == STANDARD), None)
        if service_tier == STANDARD:
            return None if standard is None else self._quoted(standard, standard.rates)
        special = next((version for version in reversed(active) if version.service_tier == service_tier), None)
        if special is None:
            return None
        return self._quoted(special, {**(standard.rates if standard else {}), **special.rates})

    def _quoted(self, version: PriceVersion, rates: Rates) -> "Quote":
        return Quote(self.source, self.provider, self.model, version.service_tier, version.valid.start, rates)


@dataclass(frozen=True, slots=True)
class Quote:
    """Rates for a request with their origin.

    `assumed` is set where the provider of the request is in no list, and the price is that of the model's maker.
    """

    source: PriceSource
    provider: str
    model: str
    service_tier: str
    valid_from: date | None
    rates: Rates = field(hash=False)
    assumed: bool = False

    @property
    def version(self) -> str:
        """Identify the price: equal for equal rates of the same origin, so that sums can be kept by it."""
        stored = {name: value for name, value in self.terms.items() if name != "assumed"}
        return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def terms(self) -> dict[str, Any]:
        """The quote as JSON values, from which `Quote.from_terms` makes it again."""
        return {
            "source": self.source.value,
            "provider": self.provider,
            "model": self.model,
            "tier": self.service_tier,
            "from": self.valid_from.isoformat() if self.valid_from else "",
            "rates": rates_as_json(self.rates),
            "assumed": self.assumed,
        }

    @classmethod
    def from_terms(cls, terms: Mapping[str, Any]) -> Self:
        """Read a stored quote.

        Raises:
            RateInvalid: a rate is no price.
        """
        return cls(
            PriceSource(terms["source"]),
            terms["provider"],
            terms["model"],
            terms["tier"],
            date.fromisoformat(terms["from"]) if terms["from"] else None,
            rates_from_json(terms["rates"]),
            terms["assumed"],
        )


def service_tier_of(asked: str, answered: str = "") -> str:
    """Name the service tier that a request is billed at: the one of the answer, else the one asked for."""
    name = (answered or asked).strip().lower()
    return STANDARD if name in _STANDARD_NAMES else name
