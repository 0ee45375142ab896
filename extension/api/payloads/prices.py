"""Prices of models, effects of other prices, and aliases of client keys, in requests and answers."""

from datetime import date
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_core import PydanticCustomError

from extension.api.payloads.payload import Payload
from extension.engine.prices.prices import PriceOrder, SyncPreview
from extension.engine.prices.public_list_client import FetchedList
from extension.prices.cost import CostSum, usd
from extension.prices.differences import ModelDifference, UnitDifference
from extension.prices.event_rating import Preview
from extension.prices.price import ANY, STANDARD, PriceSource, Quote
from extension.prices.rates import Rate, Unit, amount_text, rates_as_json
from extension.store.prices import PriceRecord


class CostSumView(Payload):
    """Sum of costs; `usd` is null where none is known, and a lower bound where it is `partial`."""

    usd: str | None
    partial: bool
    unpriced: int

    @classmethod
    def of(cls, total: CostSum) -> Self:
        """Show a sum."""
        return cls(
            usd=format(usd(total.pico), "f") if total.known else None, partial=total.partial, unpriced=total.unknown
        )


class RerateEffectView(Payload):
    """Effect of a re-rating: requests looked at, those that change, and the cost of these before and after.

    A preview looks at the first 20,000 requests of a period: `until` is the time of the last of them, null where these
    are all.
    """

    examined: int
    changed: int
    before: CostSumView
    after: CostSumView
    until: int | None

    @classmethod
    def of(cls, preview: Preview) -> Self:
        """Show an effect."""
        return cls.showing(preview, before=CostSumView.of(preview.before), after=CostSumView.of(preview.after))


Amount = Annotated[str, Field(pattern=r"^[0-9]{1,7}(\.[0-9]{1,18})?$")]
ModelName = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$")]
"""Text of one line that is not blank."""
Tokens = Annotated[int, Field(strict=True, ge=1, le=10**9)]


def _with_one_star_at_the_end(model: str) -> str:
    if ANY in model.removesuffix(ANY):
        raise PydanticCustomError("star", "A star stands for the rest of a name and can only be its last character")
    return model


class ThresholdView(Payload):
    """Amount for a whole request whose input has more than this number of tokens."""

    tokens: Tokens
    amount: Amount


class RateView(Payload):
    """Amount in US dollars, as text because it is exact, for `per` units; `above` are volume thresholds, ascending."""

    amount: Amount
    per: Annotated[int, Field(strict=True, ge=1, le=10**9)] = 1_000_000
    above: Annotated[tuple[ThresholdView, ...], Field(max_length=10)] = ()


class PriceRequest(Payload):
    """A price of one's own.

    `model` may end in `*` for every name that begins so; without `provider` it is for every provider. Without
    `validFrom` it has always been valid. A price of another `serviceTier`, such as `batch`, names its exceptions only.
    """

    model: Annotated[ModelName, AfterValidator(_with_one_star_at_the_end)]
    provider: Annotated[str, Field(max_length=100, pattern=r"^[^\x00-\x1f]*$")] = ""
    service_tier: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")] = STANDARD
    valid_from: date | None = None
    rates: Annotated[dict[Unit, RateView], Field(min_length=1)]
    note: Annotated[str, Field(max_length=200)] = ""

    def order(self) -> PriceOrder:
        """Return the price as the engine takes it."""
        rates: dict[str, Any] = {unit.value: rate.model_dump() for unit, rate in self.rates.items()}
        return PriceOrder(self.model, rates, self.provider, self.service_tier, self.valid_from, self.note)


class StoredPriceView(Payload):
    """A stored price: a person's own (`override`), or taken over from a public list (`synced`). Times: ms UTC."""

    id: int
    provider: str
    model: str
    service_tier: str
    valid_from: date | None
    rates: dict[str, RateView]
    source: PriceSource
    note: str
    set_by: str
    set_at: int

    @classmethod
    def of(cls, record: PriceRecord) -> Self:
        """Show a stored price."""
        rates = {name: RateView(**value) for name, value in record.rates.items()}
        return cls.showing(record, rates=rates, source=PriceSource(record.source))


class QuoteView(Payload):
    """Price in force of a model, and its origin."""

    provider: str
    model: str
    source: PriceSource
    service_tier: str
    valid_from: date | None
    rates: dict[str, RateView]

    @classmethod
    def of(cls, quote: Quote) -> Self:
        """Show a quote."""
        return cls.showing(quote, rates=_rates(quote))


class PricesAnswer(Payload):
    """Stored prices, the version of the built-in list, and the models found in it with their prices in force."""

    prices: tuple[StoredPriceView, ...]
    built_in: str
    found: tuple[QuoteView, ...]


class PriceAnswer(Payload):
    """One stored price."""

    price: StoredPriceView


class SyncRequest(Payload):
    """Preview of a public list, or with `apply` the takeover of its prices.

    Applying needs the `revision` of the preview. It takes over `models`, as `model` or `provider/model`, or all prices
    that differ when none is named; they are valid from `validFrom`.
    """

    list: PriceSource
    apply: Annotated[bool, Field(strict=True)] = False
    revision: Annotated[str, Field(max_length=64)] = ""
    models: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=300)], ...], Field(max_length=1_000)] = ()
    valid_from: date | None = None


class UnitDifferenceView(Payload):
    """One unit that two lists price otherwise; `factor` is their amount as a multiple of ours."""

    unit: Unit
    ours: RateView | None
    theirs: RateView | None
    factor: str | None

    @classmethod
    def of(cls, difference: UnitDifference) -> Self:
        """Show the difference of a unit."""
        factor = None if difference.factor is None else amount_text(round(difference.factor, 4))
        return cls.showing(difference, ours=_rate(difference.ours), theirs=_rate(difference.theirs), factor=factor)


class ModelDifferenceView(Payload):
    """A model that a public list prices otherwise, or alone; `source` is the origin of our price."""

    provider: str
    model: str
    source: PriceSource | None
    units: tuple[UnitDifferenceView, ...]

    @classmethod
    def of(cls, difference: ModelDifference) -> Self:
        """Show the difference of a model."""
        units = tuple(UnitDifferenceView.of(unit) for unit in difference.units)
        return cls.showing(difference, source=difference.ours.source if difference.ours else None, units=units)


class SyncAnswer(Payload):
    """Comparison with a public list: models priced by both, those that differ, and those only the list has.

    Both lists are cut at 1,000 models; `differing` and `new` count all. `applied` are the prices taken over. `effect`
    is the change to stored requests from `validFrom` on, which rating again would make; null after the takeover.
    """

    list: PriceSource
    revision: str
    fetched_at: int
    compared: int
    differing: int
    new: int
    differences: tuple[ModelDifferenceView, ...]
    additions: tuple[ModelDifferenceView, ...]
    applied: tuple[StoredPriceView, ...]
    effect: RerateEffectView | None

    @classmethod
    def of(cls, preview: SyncPreview, applied: tuple[PriceRecord, ...], effect: Preview | None) -> Self:
        """Show a preview with its effect, or the prices that were taken over."""
        return cls.showing(
            preview.fetched,
            list=preview.fetched.prices.source,
            compared=preview.compared,
            differing=len(preview.differing),
            new=len(preview.new),
            differences=tuple(ModelDifferenceView.of(difference) for difference in preview.differing[:_SHOWN]),
            additions=tuple(ModelDifferenceView.of(difference) for difference in preview.new[:_SHOWN]),
            applied=tuple(StoredPriceView.of(record) for record in applied),
            effect=None if effect is None else RerateEffectView.of(effect),
        )


class ListedPriceView(Payload):
    """Price of a model in a public list."""

    provider: str
    model: str
    rates: dict[str, RateView]


class PublicListAnswer(Payload):
    """A public list in the form of this service; `rejected` counts entries whose amounts are no prices."""

    list: PriceSource
    revision: str
    fetched_at: int
    rejected: int
    prices: tuple[ListedPriceView, ...]

    @classmethod
    def of(cls, fetched: FetchedList) -> Self:
        """Show the standard prices of a fetched list."""
        prices = tuple(
            ListedPriceView(provider=provider, model=model, rates=_rates(version))
            for (provider, model), price in fetched.prices.prices.items()
            for version in price.versions
            if version.service_tier == STANDARD
        )
        public = fetched.prices
        return cls.showing(fetched, list=public.source, rejected=public.rejected, prices=prices)


_SHOWN = 1_000


def _rates(of: Any) -> dict[str, RateView]:
    return {name: RateView(**value) for name, value in rates_as_json(of.rates).items()}


def _rate(rate: Rate | None) -> RateView | None:
    if rate is None:
        return None
    return RateView(**rates_as_json({Unit.INPUT: rate})[Unit.INPUT.value])


Fingerprint = Annotated[str, Field(pattern=r"^[0-9a-f]{16,64}$")]


AliasName = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$")]


class AliasRequest(Payload):
    """A name for a client key, given by the key itself or by its fingerprint; the key is hashed and not kept."""

    alias: AliasName
    key: Annotated[SecretStr, Field(min_length=1, max_length=1_000)] | None = None
    fingerprint: Fingerprint | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.key is None) is (self.fingerprint is None):
            raise ValueError("give either key or fingerprint")
        return self


class AliasView(Payload):
    """Name of the client key with this fingerprint. Times: milliseconds UTC."""

    fingerprint: str
    alias: str
    set_by: str
    set_at: int


class AliasAnswer(Payload):
    """One alias."""

    alias: AliasView


class AliasesAnswer(Payload):
    """All aliases, by name."""

    aliases: tuple[AliasView, ...]
