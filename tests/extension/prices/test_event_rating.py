"""Costs of events: against tables computed by hand, with prices by tier, volume, day and hour."""

from dataclasses import replace
from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.prices.cost import MissingReason
from extension.prices.event_rating import EventRating, _event_cost
from extension.prices.lists.built_in import BuiltInList
from extension.prices.price import ModelPrice, Override, OverrideList, PriceSource, PriceVersion, Validity
from extension.prices.price_book import PriceBook, PriceList
from extension.prices.rates import Unit
from extension.usage.event import EventCost, TokenCounts, TokenQuality, UsageEvent
from extension.usage.record_reading import token_counts
from tests.extension.prices.samples import rate
from tests.extension.usage.samples import breakdown

DAY_MS = 24 * 3_600_000
NOON = round(datetime(2026, 11, 1, 12, tzinfo=UTC).timestamp() * 1000)
STANDARD = {
    Unit.INPUT: rate("2", (100_000, "4")),
    Unit.CACHE_READ: rate("0.2", (100_000, "0.4")),
    Unit.OUTPUT: rate("10"),
}
BATCH = {Unit.INPUT: rate("1"), Unit.CACHE_READ: rate("0.1"), Unit.OUTPUT: rate("5")}
RATING = EventRating(
    PriceBook(
        [
            OverrideList(
                [
                    Override("model", STANDARD),
                    Override("model", BATCH, service_tier="batch"),
                    Override("model", {Unit.INPUT: rate("3"), Unit.OUTPUT: rate("30")}, valid_from=date(2026, 11, 5)),
                    Override("input-only", {Unit.REQUESTS: rate("0.005", per=1)}),
                ]
            ),
            BuiltInList(),
        ]
    )
)
# Expected millionths of a US dollar were computed by hand: tokens x dollars for a million of them.
BY_HAND: tuple[tuple[str, dict[str, object], TokenCounts, int], ...] = (
    ("plain", {}, TokenCounts(input=1_000, output=10), 2_000 + 100),
    ("cached", {}, TokenCounts(input=1_000, cache_read=5_000, output=10), 2_000 + 1_000 + 100),
    ("reasoning", {}, TokenCounts(input=10, output=10, reasoning=90), 20 + 100 + 900),
    ("above the threshold", {}, TokenCounts(input=100_000, cache_read=1_000, output=1), 400_000 + 400 + 10),
    ("batch", {"tier": "batch"}, TokenCounts(input=1_000, cache_read=10, output=10), 1_000 + 1 + 50),
    ("the tier called auto", {"tier": "auto"}, TokenCounts(input=1_000), 2_000),
    ("a later price", {"at": NOON + 4 * DAY_MS}, TokenCounts(input=100, output=10), 300 + 300),
    ("built in", {"model": "gpt-5", "provider": "codex"}, TokenCounts(input=800, cache_read=80, output=7), 1_080),
    ("refused", {"failure": "429", "status": 429, "model": "unheard-of"}, TokenCounts(), 0),
)


def event(tokens: TokenCounts, **changes: object) -> UsageEvent:
    return replace(UsageEvent(at=NOON, provider="vendor", model="model", tokens=tokens), **changes)  # type: ignore[arg-type] # fields by name


@pytest.mark.parametrize(("case", "changes", "tokens", "millionths"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_the_cost_of_an_event_is_the_one_computed_by_hand(
    case: str, changes: dict[str, object], tokens: TokenCounts, millionths: int
) -> None:
    cost = RATING.cost(event(tokens, **changes))
    assert cost is not None
    assert (case, cost.pico_usd, cost.partial) == (case, millionths * 1_000_000, False)


@pytest.mark.parametrize(
    ("tokens", "changes", "reason"),
    [
        (TokenCounts(input=5), {"model": "unheard-of"}, MissingReason.NO_PRICE),
        (TokenCounts(input=5), {"tier": "flex"}, MissingReason.NO_SERVICE_TIER),
        (TokenCounts(), {}, MissingReason.NOT_REPORTED),
        (TokenCounts(), {"failure": "unknown"}, MissingReason.NOT_REPORTED),
        *(
            (TokenCounts(), {"failure": f"{status}", "status": status}, MissingReason.NOT_REPORTED)
            for status in (200, 408, 499, 500, 502, 504)
        ),
        (TokenCounts(input=5, total=4, quality=TokenQuality.INCONSISTENT), {}, MissingReason.INCONSISTENT),
    ],
)
def test_an_unknown_cost_is_none_and_says_why(
    tokens: TokenCounts, changes: dict[str, object], reason: MissingReason
) -> None:
    rated = event(tokens, **changes)
    assert RATING.cost(rated) is None
    assert [missing.reason for missing in _event_cost(rated, RATING._rated(rated)[0]).missing] == [reason]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422, 429, 501, 503, 529])
def test_a_refusal_before_the_upstream_began_costs_nothing(status: int) -> None:
    cost = RATING.cost(event(TokenCounts(), failure=f"{status}", status=status))
    assert (cost.pico_usd if cost else None, cost and cost.partial) == (0, False)


def test_tokens_of_an_answer_that_broke_off_are_rated_whatever_the_status() -> None:
    cost = RATING.cost(event(TokenCounts(input=1_000, output=10), failure="499", status=499))
    assert (cost.pico_usd if cost else None) == 2_100_000_000


def test_a_cost_that_leaves_something_out_is_partial() -> None:
    cost = RATING.cost(event(TokenCounts(input=10, total=50, quality=TokenQuality.UNCLASSIFIED)))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == (20_000_000, True)
    per_request = RATING.cost(event(TokenCounts(input=10), model="input-only"))
    assert per_request is not None
    assert (per_request.pico_usd, per_request.partial) == (5_000_000_000, True)


@pytest.mark.parametrize(
    ("provider", "tokens", "partial"),
    [
        ("claude", TokenCounts(output=10), True),
        ("claude", TokenCounts(input=1, output=10), False),
        ("claude", TokenCounts(cache_read=1, output=10), False),
        ("openai", TokenCounts(output=10), False),
    ],
)
def test_an_answer_of_claude_without_any_input_token_is_a_lower_bound(
    provider: str, tokens: TokenCounts, *, partial: bool
) -> None:
    cost = RATING.cost(event(tokens, provider=provider))
    assert cost is not None
    assert cost.partial is partial


def test_a_record_with_writes_for_both_lifetimes_costs_what_was_computed_by_hand() -> None:
    parts = breakdown(100, 20, read=1_000, written=700)
    parts["input"] |= {"cache_write_1h_tokens": 600}
    tokens = token_counts({"token_breakdown": parts})
    cost = RATING.cost(event(tokens, provider="claude", model="claude-sonnet-4-5"))
    assert cost is not None
    # 100 x $3, 1,000 x $0.30, 100 x $3.75, 600 x $6 and 20 x $15 for a million
    assert (cost.pico_usd, cost.partial) == ((300 + 300 + 375 + 3_600 + 300) * 1_000_000, False)


class ByHour:
    """A list whose price is half at night."""

    def find(self, provider: str, model: str) -> list[ModelPrice]:
        day = PriceVersion({Unit.INPUT: rate("2")})
        night = PriceVersion({Unit.INPUT: rate("1")}, Validity(hours=(time(16, 30), time(0, 30))))
        return [ModelPrice(provider, model, PriceSource.BUILT_IN, (day, night))]

    def by_maker(self, model: str) -> list[ModelPrice]:
        assert model
        return []


def test_a_price_by_the_hour_is_not_taken_from_another_hour_of_the_day() -> None:
    listed: PriceList = ByHour()
    rating = EventRating(PriceBook([listed]))
    midnight = NOON - NOON % DAY_MS
    minutes = {0: 1, 29: 1, 30: 2, 16 * 60 + 29: 2, 16 * 60 + 30: 1, 24 * 60 - 1: 1}
    for minute, dollars in minutes.items():
        cost = rating.cost(event(TokenCounts(input=1), at=midnight + minute * 60_000))
        assert cost is not None
        assert cost.pico_usd == dollars * 1_000_000, minute


tokens = st.builds(
    TokenCounts,
    input=st.integers(0, 300_000),
    cache_read=st.integers(0, 300_000),
    output=st.integers(0, 10**6),
    reasoning=st.integers(0, 10**6),
)
events = st.builds(
    UsageEvent,
    at=st.integers(NOON - 3 * DAY_MS, NOON + 9 * DAY_MS),
    model=st.sampled_from(["model", "gpt-5", "none", "input-only"]),
    provider=st.sampled_from(["openai", "x"]),
    tier=st.sampled_from(["", "auto", "batch", "flex"]),
    failure=st.sampled_from(["", "500"]),
    status=st.sampled_from([0, 500]),
    tokens=tokens,
)


@given(st.lists(events, max_size=20))
def test_parts_sum_to_the_cost_and_a_kept_quote_changes_nothing(usage_events: list[UsageEvent]) -> None:
    for usage_event in usage_events:
        fresh = EventRating(RATING._book)
        cost, explained = RATING.cost(usage_event), _event_cost(usage_event, RATING._rated(usage_event)[0])
        assert cost == fresh.cost(usage_event)
        known = sum(part.pico for part in explained.parts)
        assert (cost.pico_usd if cost else None) == (None if explained.missing and not explained.parts else known)
        assert (cost or EventCost(0, "")).partial == bool(explained.parts and explained.missing)
        if explained.quote is not None and cost is not None:
            assert cost.price_version == explained.quote.version
