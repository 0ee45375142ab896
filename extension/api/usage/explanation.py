"""`usage/explanation`: the prices and counts that a cost is made of."""

from datetime import date
from typing import Annotated, Self

from fastapi import Query

from extension.api.payloads.payload import Payload, QueriedId
from extension.api.routes import Routes
from extension.api.services import Served
from extension.api.usage.queries import PeriodQuery
from extension.api.usage.views import exact_usd
from extension.prices.cost import CostPart, GroupCost, MissingReason, PriceUse
from extension.prices.price import PriceSource
from extension.prices.rates import Unit, amount_text


class ExplanationQuery(PeriodQuery):
    """Cost to explain: of the one event with the number `seq`, else of a period's events that pass the filters."""

    seq: QueriedId | None = None


class CostPartView(Payload):
    """A part of a cost: `count` of a unit at `amount` US dollars for `per`; `rateOf` is the unit that has the rate."""

    unit: Unit
    count: int
    amount: str
    per: int
    rate_of: Unit
    usd: str

    @classmethod
    def of(cls, part: CostPart) -> Self:
        """Show a part."""
        return cls.showing(part, amount=amount_text(part.amount), usd=exact_usd(part.pico))


class PriceUseView(Payload):
    """Requests whose cost was computed with one price, and the parts of the cost.

    `usd` is the sum of the parts and of `rounding`: each request was rounded to a trillionth of a dollar. `above` is
    the volume threshold that the input of these requests passed. `unclassified` tokens are in no part. `assumed` means
    that the provider is in no list, so the price is that of the model's maker. An empty `version`: no price was needed.
    `hidden` are parts with a rate of their own, or beyond a broken end, that some of the records do not show.
    """

    version: str
    source: PriceSource | None
    provider: str
    model: str
    service_tier: str
    valid_from: date | None
    assumed: bool
    above: int | None
    requests: int
    incomplete: int
    unclassified: int
    usd: str
    rounding: str
    parts: tuple[CostPartView, ...]
    hidden: tuple[str, ...]

    @classmethod
    def of(cls, use: PriceUse) -> Self:
        """Show the use of a price."""
        unknown = {
            "source": None,
            "provider": "",
            "model": "",
            "service_tier": "",
            "valid_from": None,
            "assumed": False,
        }
        return cls.showing(
            use,
            **{name: getattr(use.quote, name, nothing) for name, nothing in unknown.items()},
            usd=exact_usd(use.pico),
            rounding=exact_usd(use.rounding),
            parts=tuple(CostPartView.of(part) for part in use.parts),
            hidden=tuple(str(part.name).lower() for part in use.hidden),
        )


class UnpricedUseView(Payload):
    """Requests without a known cost, and the reason. With `pricedNow`, rating again finds a cost."""

    provider: str
    model: str
    service_tier: str
    requests: int
    tokens: int
    reason: MissingReason
    priced_now: bool


class ExplanationAnswer(Payload):
    """Everything that a cost is made of, the dearest price first; `leftOff` prices are beyond the limit of 50.

    Events from before `prunedBefore` were removed: the sums of a period that begins earlier hold them, and only the
    part from then on is explained. 0: none were removed.
    """

    prices: tuple[PriceUseView, ...]
    unpriced: tuple[UnpricedUseView, ...]
    left_off: int
    pruned_before: int

    @classmethod
    def of(cls, explanation: GroupCost) -> Self:
        """Show an explanation."""
        return cls(
            prices=tuple(PriceUseView.of(use) for use in explanation.prices),
            unpriced=tuple(UnpricedUseView.showing(use) for use in explanation.unpriced),
            left_off=explanation.left_off,
            pruned_before=explanation.pruned_before,
        )


route = Routes("usage")


@route("GET", "usage/explanation")
async def read_explanation(query: Annotated[ExplanationQuery, Query()], services: Served) -> ExplanationAnswer:
    """Explain a cost: counts times rates, the source and version of each price, and the requests without a cost.

    It is computed from stored events, with the terms of the price at the time when each was rated.
    """
    period = None if query.seq is not None else query.period(services.clock)
    return ExplanationAnswer.of(await services.usage.explanation.explain(query.filter(), period, query.seq))
