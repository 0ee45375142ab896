from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from genai_prices import Usage, calc_price
from hypothesis import given, settings
from hypothesis import strategies as st

from extension.prices.cost import MissingReason, cost_of, usd
from extension.prices.lists.built_in import BuiltInList
from extension.prices.price import Override, OverrideList, PriceSource, Quote, service_tier_of
from extension.prices.price_book import PriceBook, Priced
from extension.prices.rates import Unit
from extension.usage.event import TokenCounts
from tests.extension.prices.samples import NOON, rate

BUILT_IN = BuiltInList()


def book(*overrides: Override) -> PriceBook:
    return PriceBook([OverrideList(overrides), BUILT_IN])


def quoted(prices: PriceBook, request: Priced) -> Quote:
    quote = prices.quote(request)
    assert isinstance(quote, Quote), quote
    return quote


def amount(prices: PriceBook, request: Priced, unit: Unit = Unit.INPUT) -> Decimal:
    return quoted(prices, request).rates[unit].amount


@settings(deadline=None, max_examples=50)
@given(
    st.sampled_from(
        [
            ("claude", "anthropic", "claude-sonnet-4-5-20250929"),
            ("codex", "openai", "gpt-5"),
            ("gemini", "google", "gemini-2.5-pro"),
            ("xai", "x-ai", "grok-4"),
        ]
    ),
    st.integers(0, 400_000),
    st.integers(0, 400_000),
    st.integers(0, 100_000),
    st.integers(0, 100_000),
)
def test_the_built_in_list_costs_the_same_as_by_its_own_calculator(
    model: tuple[str, str, str], plain: int, cached: int, output: int, reasoning: int
) -> None:
    provider, listed, name = model
    tokens = TokenCounts(input=plain, cache_read=cached, output=output, reasoning=reasoning)
    cost = cost_of(tokens, book().quote(Priced(provider, name, NOON)))
    usage = Usage(
        input_tokens=plain + cached,
        cache_read_tokens=cached,
        output_tokens=output + reasoning,
        output_reasoning_tokens=reasoning,
    )
    expected = calc_price(usage, name, provider_id=listed, genai_request_timestamp=NOON).total_price
    assert cost.pico is not None
    assert usd(cost.pico) == expected


def test_every_price_of_the_built_in_list_can_be_read() -> None:
    prices = tuple(BUILT_IN.containing(""))
    assert len(prices) > 1_000
    assert sum(bool(price.quote(NOON, "standard")) for price in prices) == len(prices)


def test_batch_is_half_price_once_the_list_knows_it_and_unknown_before() -> None:
    batch = Priced("claude", "claude-sonnet-4-5", NOON, tier="batch")
    assert amount(book(), batch) == Decimal("1.5")
    early = Priced("claude", "claude-sonnet-4-5", datetime(2026, 1, 1, tzinfo=UTC), tier="batch")
    assert book().quote(early) is MissingReason.NO_SERVICE_TIER


def test_the_tier_of_the_answer_decides() -> None:
    assert service_tier_of("default") == "standard"
    assert service_tier_of("auto") == "standard"
    assert service_tier_of("Batch") == "batch"


def test_an_off_peak_price_applies_within_its_hours() -> None:
    def at(hour: int) -> Decimal:
        return amount(book(), Priced("deepseek", "deepseek-chat", datetime(2026, 11, 1, hour, tzinfo=UTC)))

    assert (at(12), at(20)) == (Decimal("0.27"), Decimal("0.135"))


def test_a_thinking_level_and_an_api_path_do_not_hide_the_model() -> None:
    plain = quoted(book(), Priced("gemini", "gemini-2.5-pro", NOON))
    assert quoted(book(), Priced("vertex", "models/gemini-2.5-pro(high)", NOON)) == plain


def test_a_provider_in_no_list_gets_the_price_of_the_models_maker_and_says_so() -> None:
    quote = quoted(book(), Priced("compatible-reseller", "gpt-5", NOON))
    assert (quote.provider, quote.assumed) == ("openai", True)
    assert not quoted(book(), Priced("codex", "gpt-5", NOON)).assumed


def test_a_model_in_no_list_has_no_price() -> None:
    assert book().quote(Priced("compatible-reseller", "house-model-1", NOON)) is MissingReason.NO_PRICE


def test_an_override_wins_from_its_date_on() -> None:
    override = Override("gpt-5", {Unit.INPUT: rate("9")}, valid_from=date(2026, 11, 1))
    before = Priced("codex", "gpt-5", datetime(2026, 10, 31, 23, 59, tzinfo=UTC))
    assert quoted(book(override), before).source is PriceSource.BUILT_IN
    after = quoted(book(override), Priced("codex", "gpt-5", NOON))
    assert (after.source, after.rates[Unit.INPUT].amount) == (PriceSource.OVERRIDE, Decimal(9))


def test_an_override_of_one_tier_leaves_the_others() -> None:
    prices = book(Override("gpt-5", {Unit.INPUT: rate("9")}))
    assert quoted(prices, Priced("codex", "gpt-5", NOON, "batch")).source is PriceSource.BUILT_IN


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        (Override("gpt-*", {Unit.INPUT: rate("1")}), Override("gpt-5", {Unit.INPUT: rate("2")})),
        (Override("gpt-*", {Unit.INPUT: rate("1")}), Override("gpt-5*", {Unit.INPUT: rate("2")})),
        (Override("gpt-5", {Unit.INPUT: rate("1")}), Override("gpt-5", {Unit.INPUT: rate("2")}, provider="codex")),
        (
            Override("gpt-5", {Unit.INPUT: rate("1")}, provider="codex", source=PriceSource.SYNCED),
            Override("gpt-*", {Unit.INPUT: rate("2")}),
        ),
        (
            Override("gpt-5", {Unit.INPUT: rate("1")}, valid_from=date(2026, 1, 1), id=2),
            Override("gpt-5", {Unit.INPUT: rate("2")}, valid_from=date(2026, 2, 1), id=1),
        ),
    ],
    ids=["exact name", "longer prefix", "named provider", "person", "later date"],
)
def test_the_more_specific_override_wins(weaker: Override, stronger: Override) -> None:
    for order in ((weaker, stronger), (stronger, weaker)):
        assert amount(book(*order), Priced("codex", "gpt-5", NOON)) == Decimal(2)


@pytest.mark.parametrize(
    "provider", ["groq", "Groq", "compatible-groq", "openai-compatible-groq", " openai-compatible-Groq "]
)
def test_a_provider_has_one_name_however_it_is_written(provider: str) -> None:
    own = Override("llama-3.3-70b-versatile", {Unit.INPUT: rate("9")}, provider=provider)
    request = Priced("openai-compatible-groq", "llama-3.3-70b-versatile", NOON)
    assert amount(book(own), request) == Decimal(9)
    assert quoted(book(), Priced(provider, request.model, NOON)).provider == "groq"


def test_a_price_that_a_person_set_for_an_alias_is_used_after_one_for_the_model() -> None:
    alias, model = (Override(name, {Unit.INPUT: rate(dollars)}) for name, dollars in (("mine", "9"), ("gpt-5", "7")))
    request = Priced("codex", "gpt-5", NOON, alias="mine")
    assert amount(book(alias), request) == Decimal(9)
    assert amount(book(alias, model), request) == Decimal(7)
    # A list may have another model of that name.
    assert book().quote(Priced("codex", "house-model", NOON, alias="gpt-5")) is MissingReason.NO_PRICE
