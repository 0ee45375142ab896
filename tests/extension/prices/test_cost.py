from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.prices.cost import CostSum, MissingReason, RequestCost, cost_of, usd
from extension.prices.price import PriceSource
from extension.prices.rates import MILLION, TOKEN_UNITS, Rate, RateInvalid, Threshold, Unit
from extension.usage.event import TokenCounts, TokenQuality
from tests.extension.prices.samples import quote, rate

CLAUDE = quote(
    {
        Unit.INPUT: rate("3", (200_000, "6")),
        Unit.CACHE_READ: rate("0.3", (200_000, "0.6")),
        Unit.CACHE_WRITE_5M: rate("3.75", (200_000, "7.5")),
        Unit.CACHE_WRITE_1H: rate("6", (200_000, "12")),
        Unit.OUTPUT: rate("15", (200_000, "22.5")),
    }
)

# Each expected sum was computed by hand, in millionths of a US dollar: tokens x dollars for a million of them.
BY_HAND = (
    ("plain", TokenCounts(input=1_000, output=500), 3_000 + 7_500),
    ("cached", TokenCounts(input=100, cache_read=9_900, output=200), 300 + 2_970 + 3_000),
    ("written for two lifetimes", TokenCounts(cache_write_5m=1_000, cache_write_1h=1_000), 3_750 + 6_000),
    ("reasoning is billed as output", TokenCounts(input=10, output=20, reasoning=1_000), 30 + 300 + 15_000),
    ("exactly at the threshold", TokenCounts(input=200_000, output=1), 600_000 + 15),
    ("cached input counts for the threshold", TokenCounts(input=1, cache_read=200_000, output=2), 6 + 120_000 + 45),
)


@pytest.mark.parametrize(("case", "tokens", "millionths"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_the_cost_is_the_one_computed_by_hand(case: str, tokens: TokenCounts, millionths: int) -> None:
    cost = cost_of(tokens, CLAUDE)
    assert (case, cost.pico) == (case, millionths * 1_000_000)
    assert not cost.missing


amounts = st.decimals(min_value=0, max_value=1_000, places=6, allow_nan=False, allow_infinity=False)
counts = st.integers(min_value=0, max_value=10**9)
tokens_of_a_request = st.fixed_dictionaries({unit.value: counts for unit in TOKEN_UNITS}).map(
    lambda buckets: TokenCounts(**buckets)  # type: ignore[arg-type] # only buckets are given
)
rates = st.dictionaries(st.sampled_from(TOKEN_UNITS), amounts.map(lambda amount: Rate(amount, MILLION)))


@given(tokens_of_a_request, rates)
def test_parts_sum_to_the_total_and_every_token_is_either_priced_or_missing(
    tokens: TokenCounts, quoted: dict[Unit, Rate]
) -> None:
    cost = cost_of(tokens, quote(quoted))
    exact = sum((part.amount * part.count / part.per for part in cost.parts), Decimal())
    assert usd(sum(part.pico for part in cost.parts)) == exact
    assert cost.pico == (None if cost.missing and not cost.parts else sum(part.pico for part in cost.parts))
    priced = sum(part.count for part in cost.parts)
    assert priced + sum(missing.count for missing in cost.missing) == tokens.total


def test_a_model_without_a_price_has_an_unknown_cost_and_not_zero() -> None:
    cost = cost_of(TokenCounts(input=5), MissingReason.NO_PRICE)
    assert cost.pico is None
    unknown, known = CostSum(requests=1, unknown=1), CostSum(3_000_000_000, requests=1)
    assert not unknown.known
    assert (known.partial, (known + unknown).partial) == (False, True)


def test_a_request_without_tokens_costs_nothing_even_without_a_price() -> None:
    assert cost_of(TokenCounts(), MissingReason.NO_PRICE, {Unit.REQUESTS: 1}).pico == 0


def test_a_free_model_costs_zero_and_not_unknown() -> None:
    cost = cost_of(TokenCounts(input=5), quote({Unit.INPUT: rate("0")}))
    assert (cost.pico, cost.partial) == (0, False)


def test_tokens_of_no_known_kind_make_the_sum_a_lower_bound() -> None:
    tokens = TokenCounts(input=1_000, total=1_500, quality=TokenQuality.UNCLASSIFIED)
    cost = cost_of(tokens, CLAUDE)
    assert (cost.pico, cost.partial) == (3_000_000_000, True)
    assert [(missing.count, missing.reason) for missing in cost.missing] == [(500, MissingReason.UNCLASSIFIED)]


@pytest.mark.parametrize("source", [PriceSource.BUILT_IN, PriceSource.OVERRIDE])
def test_audio_and_images_at_the_rate_of_text_are_a_lower_bound(source: PriceSource) -> None:
    cost = cost_of(TokenCounts(audio_in=100, image_in=10, image_out=1), quote(CLAUDE.rates, source))
    assert (cost.pico, cost.partial) == (345_000_000, True)


WITHOUT_AN_HOUR = {Unit.INPUT: rate("3"), Unit.CACHE_WRITE_5M: rate("3.75")}


@pytest.mark.parametrize(
    ("rates", "source", "millionths", "partial"),
    [
        (WITHOUT_AN_HOUR, PriceSource.MODELS_DEV, 3_750, True),
        ({Unit.INPUT: rate("3")}, PriceSource.BUILT_IN, 3_000, True),
        ({**WITHOUT_AN_HOUR, Unit.CACHE_WRITE_1H: rate("6")}, PriceSource.LITELLM, 6_000, False),
        (WITHOUT_AN_HOUR, PriceSource.OVERRIDE, 3_750, False),
        ({Unit.INPUT: rate("0")}, PriceSource.BUILT_IN, 0, False),
    ],
    ids=["no rate for an hour", "no rate for writes", "a rate for an hour", "set by a person", "free"],
)
def test_a_write_for_an_hour_at_the_rate_of_five_minutes_is_a_lower_bound(
    rates: dict[Unit, Rate], source: PriceSource, millionths: int, *, partial: bool
) -> None:
    cost = cost_of(TokenCounts(cache_write_1h=1_000), quote(rates, source))
    assert (cost.pico, cost.partial) == (millionths * 1_000_000, partial)


def test_counts_that_contradict_their_total_have_no_cost() -> None:
    tokens = TokenCounts(input=1_000, cache_read=900, total=1_000, quality=TokenQuality.INCONSISTENT)
    assert cost_of(tokens, CLAUDE).pico is None


def test_units_beside_tokens_are_priced_and_missed_like_tokens() -> None:
    price = quote({Unit.REQUESTS: rate("0.005", per=1), Unit.SECONDS: rate("0.36", per=3_600)})
    cost = cost_of(TokenCounts(), price, {Unit.REQUESTS: 1, Unit.SECONDS: 10, Unit.IMAGES: 2})
    assert [(part.unit, part.pico) for part in cost.parts] == [
        (Unit.REQUESTS, 5_000_000_000),
        (Unit.SECONDS, 1_000_000_000),
    ]
    assert [missing.unit for missing in cost.missing] == [Unit.IMAGES]


@pytest.mark.parametrize("amount", ["-1", "NaN", "Infinity", "1e7", "1e-30"])
def test_what_is_no_price_is_refused(amount: str) -> None:
    with pytest.raises(RateInvalid):
        Rate(Decimal(amount), MILLION)


def test_thresholds_ascend() -> None:
    with pytest.raises(RateInvalid):
        Rate(Decimal(1), 1, (Threshold(5, Decimal(1)), Threshold(5, Decimal(2))))


def test_equal_rates_have_one_version_and_others_another() -> None:
    first, same, other = (quote({Unit.INPUT: rate(amount)}).version for amount in ("3", "3.00", "4"))
    assert first == same != other


def test_an_empty_cost_is_known() -> None:
    assert RequestCost((), (), None).pico == 0
