from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from extension.prices.cost import CostSum
from extension.prices.event_rating import EventRating, RatedEvent, changes, effect, next_batch
from extension.prices.price import Override, OverrideList
from extension.prices.price_book import PriceBook
from extension.prices.rates import Unit
from extension.usage.event import EventCost, TokenCounts, UsageEvent
from tests.extension.prices.samples import rate

DAY = datetime(2026, 11, 1, tzinfo=UTC)
BEFORE = EventRating(
    PriceBook([OverrideList([Override("fast", {Unit.INPUT: rate("1")}), Override("slow", {Unit.INPUT: rate("2")})])])
)
AFTER = EventRating(
    PriceBook(
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
)


def event(number: int, model: str, day: int, tokens: int) -> RatedEvent:
    at = round((DAY + timedelta(days=day)).timestamp() * 1000)
    made = UsageEvent(at=at, provider="any", model=model, tokens=TokenCounts(input=tokens))
    return rated(number, made, BEFORE.cost(made))


def rated(number: int, made: UsageEvent, cost: EventCost | None) -> RatedEvent:
    if cost is None:
        return RatedEvent(number, made, None, partial=False, price_version="")
    return RatedEvent(number, made, cost.pico_usd, cost.partial, cost.price_version)


def test_a_price_change_rates_exactly_the_requests_it_concerns() -> None:
    stored = [event(1, "fast", 4, 100), event(2, "fast", 5, 100), event(3, "slow", 6, 100), event(4, "new", 1, 10)]
    changed = tuple(changes(stored, AFTER))
    assert [(change.event.id, change.cost and change.cost.pico_usd) for change in changed] == [
        (2, 400_000_000),
        (4, 30_000_000),
    ]
    shown = effect(4, changed)
    assert (shown.examined, shown.changed) == (4, 2)
    assert shown.before == CostSum(100_000_000, requests=2, unknown=1)
    assert shown.after == CostSum(430_000_000, requests=2)


@given(st.lists(st.tuples(st.sampled_from(["fast", "slow", "new", "none"]), st.integers(0, 9), st.integers(0, 99))))
def test_rating_again_changes_nothing_the_second_time(rows: list[tuple[str, int, int]]) -> None:
    stored = [event(number, *row) for number, row in enumerate(rows)]
    again = [rated(row.id, row.event, AFTER.cost(row.event)) for row in stored]
    assert not tuple(changes(again, AFTER))


def test_a_slow_batch_halves_the_next_and_fast_ones_double_it_up_to_the_limit() -> None:
    assert next_batch(1_000, 5.3, 1_000) == 500
    assert [next_batch(size, 9.0, 1_000) for size in (40, 30, 20)] == [20, 20, 20]
    assert next_batch(500, 0.5, 1_000) == 500
    assert [next_batch(size, 0.1, 1_000) for size in (20, 800)] == [40, 1_000]
