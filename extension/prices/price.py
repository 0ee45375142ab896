"""Prices of models: versions with their validity, names as lists write them, and prices set by people."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, Self

from extension.prices.rates import TOKEN_UNITS, Rates, rates_as_json, rates_from_json
from extension.usage.event import PLACE
from extension.usage.provider_name import provider_name

_PREFIXES: Final = ("models/", "publishers/google/models/", "publishers/anthropic/models/")
_LEVEL: Final = re.compile(r"\([^()]*\)$")


def model_name(model: str) -> str:
    """Return the model's name without the path of its API and without a thinking level in parentheses."""
    name = _LEVEL.sub("", model.strip().lower()).strip()
    return next((name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix)), name)


_AT_PLACE: Final[Mapping[str, Decimal]] = {"us": Decimal("1.1")}
"""Factors of all rates for tokens by the place of an inference: https://platform.claude.com/docs/en/about-claude/pricing"""

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
        tiered = any(version.service_tier != STANDARD and version.rates for version in active)
        if service_tier == STANDARD:
            return None if standard is None else self._quoted(standard, standard.rates, tiered=tiered)
        special = next((version for version in reversed(active) if version.service_tier == service_tier), None)
        if special is None:
            return None
        return self._quoted(special, {**(standard.rates if standard else {}), **special.rates}, tiered=tiered)

    def _quoted(self, version: PriceVersion, rates: Rates, *, tiered: bool) -> "Quote":
        tier, start = version.service_tier, version.valid.start
        return Quote(self.source, self.provider, self.model, tier, start, rates, tiered=tiered)


@dataclass(frozen=True, slots=True)
class Quote:
    """Rates for a request with their origin.

    `assumed` is set where the provider of the request is in no list, and the price is that of the model's maker.
    `tiered` is set where the model has rates of another service tier, too.
    """

    source: PriceSource
    provider: str
    model: str
    service_tier: str
    valid_from: date | None
    rates: Rates = field(hash=False)
    assumed: bool = False
    tiered: bool = False

    def at_place(self, place: str) -> "Quote | None":
        """Return the quote for inference in a named place, None for an unknown one: lists have rates of anywhere.

        A price that a person set is for every place.
        """
        factor = _AT_PLACE.get(place)
        if self.source is PriceSource.OVERRIDE or factor is None:
            return self if self.source is PriceSource.OVERRIDE else None
        rates = {unit: rate.times(factor) if unit in TOKEN_UNITS else rate for unit, rate in self.rates.items()}
        return replace(self, service_tier=f"{self.service_tier}{PLACE}{place}", rates=rates)

    @property
    def version(self) -> str:
        """Identify the price: equal for equal rates of the same origin, so that sums can be kept by it."""
        stored = {name: value for name, value in self.terms.items() if name not in {"assumed", "tiered"}}
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
            "tiered": self.tiered,
        }

    @classmethod
    def from_terms(cls, terms: Mapping[str, Any]) -> Self:
        """Read a stored quote, or raise `RateInvalid`."""
        return cls(
            PriceSource(terms["source"]),
            terms["provider"],
            terms["model"],
            terms["tier"],
            date.fromisoformat(terms["from"]) if terms["from"] else None,
            rates_from_json(terms["rates"]),
            terms["assumed"],
            terms.get("tiered", False),
        )


def service_tier_of(tier: str) -> str:
    """Name the service tier that a request is billed at."""
    name = tier.strip().lower()
    return STANDARD if name in _STANDARD_NAMES else name


ANY: Final = "*"
"""End of a name that stands for every continuation."""


@dataclass(frozen=True, slots=True)
class Override:
    """Price set by a person, or taken over from a public list on a person's command.

    An empty `provider` stands for every provider. Without `valid_from` it has always been valid.
    """

    model: str
    rates: Rates
    provider: str = ""
    valid_from: date | None = None
    service_tier: str = STANDARD
    source: PriceSource = PriceSource.OVERRIDE
    id: int = 0

    def applies_to(self, provider: str, model: str) -> bool:
        """Decide whether the override prices a model of a provider."""
        if self.provider and provider_name(self.provider) != provider:
            return False
        name = model_name(self.model)
        return model.startswith(name.removesuffix(ANY)) if name.endswith(ANY) else model == name

    @property
    def precedence(self) -> tuple[bool, bool, bool, int]:
        """Order of overrides that apply to the same model: people first, then the named provider, the exact name."""
        prefix = self.model.endswith(ANY)
        return (self.source is PriceSource.OVERRIDE, bool(self.provider), not prefix, len(self.model))


class OverrideList:
    """Overrides as a list of prices."""

    def __init__(self, overrides: Iterable[Override]) -> None:
        self._overrides = tuple(overrides)

    def find(self, provider: str, model: str) -> Sequence[ModelPrice]:
        """See `PriceList`; one price for each rank of precedence, with its versions in the order of their dates."""
        ranks: dict[tuple[tuple[bool, bool, bool, int], str, str], list[Override]] = {}
        for override in self._overrides:
            if override.applies_to(provider, model):
                ranks.setdefault((override.precedence, override.provider, override.model), []).append(override)
        return [_price(ranks[rank]) for rank in sorted(ranks, reverse=True)]

    def by_maker(self, model: str) -> Sequence[ModelPrice]:  # noqa: ARG002 - the protocol's parameter
        """See `PriceList`; an override for every provider has been found already."""
        return ()


def _price(same: Sequence[Override]) -> ModelPrice:
    ordered = sorted(same, key=lambda override: (override.valid_from or date.min, override.id))
    versions = (
        PriceVersion(override.rates, Validity(override.valid_from), override.service_tier) for override in ordered
    )
    first = ordered[0]
    return ModelPrice(first.provider, first.model, first.source, tuple(versions))
