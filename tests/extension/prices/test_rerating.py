from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from extension.prices.overrides import Override, OverrideList
from extension.prices.price_book import PriceBook, Priced
from extension.prices.rerating import RatedEvent, RatingChange, preview, rerate
from extension.prices.sums import CostSum
from extension.prices.units import Unit
from extension.usage.tokens import TokenCounts
from tests.extension.prices.samples import rate

DAY = datetime(2026, 11, 1, tzinfo=UTC)
BEFORE = PriceBook(
    [OverrideList([Override("fast", {Unit.INPUT: rate("1")}), Override("slow", {Unit.INPUT: rate("2")})])]
)
AFTER = PriceBook(
    [
        OverrideList(
            [
                Override("fast", {Unit.INPUT: rate("1")}),
                Override("fast", {Unit.INPUT: rate("4")}, valid_from=DAY.date() + timedelta(days=5)),
                Override("slow", {Unit.INPUT: rate("2")}),
                Override("new", {Unit.INPUT: rate("3")}),
            ]
        )
    ]
)


class Stored:
    """Requests in memory, as the store keeps them."""

    def __init__(self, events: Iterable[RatedEvent]) -> None:
        self.events = {event.id: event for event in events}

    def rated(self, since_ms: int | None, until_ms: int | None) -> Iterable[RatedEvent]:
        for event in sorted(self.events.values(), key=lambda event: event.request.at):
            at = int(event.request.at.timestamp() * 1000)
            if (since_ms is None or at >= since_ms) and (until_ms is None or at < until_ms):
                yield event

    def rerate(self, changes: Iterable[RatingChange]) -> None:
        for change in changes:
            self.events[change.event.id] = replace(
                change.event, pico=change.cost.pico, partial=change.cost.partial, price_version=change.price_version
            )

    def rated_from_ms(self) -> int | None:
        return min((int(event.request.at.timestamp() * 1000) for event in self.events.values()), default=None)


def event(number: int, model: str, day: int, tokens: int) -> RatedEvent:
    request = Priced("any", model, DAY + timedelta(days=day))
    counts = TokenCounts(input=tokens)
    cost = BEFORE.cost(request, counts)
    version = cost.quote.version if cost.quote else ""
    return RatedEvent(number, request, counts, cost.pico, cost.partial, version)


def test_a_price_change_rates_exactly_the_requests_it_concerns() -> None:
    stored = Stored(
        [event(1, "fast", 4, 100), event(2, "fast", 5, 100), event(3, "slow", 6, 100), event(4, "new", 1, 10)]
    )
    shown = preview(stored.rated(None, None), AFTER)
    assert (shown.examined, shown.changed) == (4, 2)
    assert shown.before == CostSum(100_000_000, requests=2, unknown=1)
    assert shown.after == CostSum(430_000_000, requests=2)
    assert rerate(stored, AFTER) == shown
    assert [stored.events[number].pico for number in (1, 2, 3, 4)] == [
        100_000_000,
        400_000_000,
        200_000_000,
        30_000_000,
    ]


def test_only_the_chosen_time_is_rated_again() -> None:
    stored = Stored([event(1, "new", 1, 10), event(2, "new", 3, 10)])
    since = int((DAY + timedelta(days=2)).timestamp() * 1000)
    assert rerate(stored, AFTER, since).changed == 1
    assert (stored.events[1].pico, stored.events[2].pico) == (None, 30_000_000)


@given(st.lists(st.tuples(st.sampled_from(["fast", "slow", "new", "none"]), st.integers(0, 9), st.integers(0, 99))))
def test_rating_again_changes_nothing_the_second_time(rows: list[tuple[str, int, int]]) -> None:
    stored = Stored(event(number, *row) for number, row in enumerate(rows))
    rerate(stored, AFTER)
    assert preview(stored.rated(None, None), AFTER).changed == 0
