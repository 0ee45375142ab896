"""Costs of records that a stock gateway (7.2.140) wrote for answers with known counts, against costs by hand."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from extension.prices.event_rating import EventRating
from extension.prices.lists.built_in import BuiltInList
from extension.prices.price import Override, OverrideList
from extension.prices.price_book import PriceBook
from extension.prices.rates import Rate, Unit
from extension.usage.event import TokenQuality, UsageEvent
from extension.usage.record_reading import UsageFingerprints, read_record
from tests.extension.prices.samples import rate
from tests.extension.usage.samples import breakdown

RECORDS: dict[str, Any] = json.loads(Path(__file__).with_name("stock_records.json").read_text(encoding="utf-8"))
RATING = EventRating(PriceBook([BuiltInList()]))
EXACT: tuple[tuple[str, float], ...] = (
    ("groq", 100 * 0.59 + 20 * 0.79),
    ("beside", 100 * 1.25 + 70 * 10),  # reasoning beside the completion, told by the total
    ("writes", 90 * 1.25 + 10 * 0.125 + 20 * 10),
    ("priority", 100 * 2.5 + 20 * 20),
)
"""Records and their costs in millionths of a US dollar."""
BOUNDED: tuple[tuple[str, float, float], ...] = (
    ("deepseek", 100 * 0.035 + 20 * 0.55, 36 * 0.135 + 64 * 0.035 + 20 * 0.55),
    ("kimi-top", 100 * 0.15 + 20 * 2.5, 40 * 0.6 + 60 * 0.15 + 20 * 2.5),
    ("audio", 100 * 2.5 + 20 * 10, 20 * 2.5 + 80 * 32 + 20 * 10),
    ("claude-plain", 100 * 5 + 10 * 0.5 + 20 * 25, 100 * 5 + 10 * 0.5 + 20 * 25),
    ("claude-fast", 100 * 5 + 20 * 25, 100 * 30 + 20 * 150),
    ("claude-search", 100 * 5 + 20 * 25, 100 * 5 + 20 * 25 + 3 * 10_000),
    ("claude-hour", 100 * 5 + 700 * 6.25 + 20 * 25, 100 * 5 + 100 * 6.25 + 600 * 10 + 20 * 25),
    ("claude-stream", 20 * 15, 100 * 3 + 10 * 0.3 + 20 * 15),
    ("claude-zeros", 20 * 15, 100 * 3 + 10 * 0.3 + 20 * 15),
    ("gemini-image", 100 * 0.3 + 1290 * 2.5, 100 * 0.3 + 1290 * 30),
    ("gemini-audio", 100 * 0.3 + 20 * 2.5, 90 * 1.0 + 10 * 0.3 + 20 * 2.5),
    ("codex", 90 * 1.25 + 10 * 0.125 + 20 * 10, 90 * 1.25 + 10 * 0.125 + 20 * 10 + 10_000),
)
"""Records, their lower bounds, and the costs of the answers, which the records do not show."""


def event(record: dict[str, Any]) -> UsageEvent:
    reading = read_record(record, UsageFingerprints(b"k" * 32))
    assert isinstance(reading, UsageEvent)
    return reading


@pytest.mark.parametrize(("case", "millionths"), EXACT)
def test_a_record_that_splits_every_priced_part_has_the_exact_cost(case: str, millionths: float) -> None:
    cost = RATING.cost(event(RECORDS[case]))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == (round(millionths * 1_000_000), False)


@pytest.mark.parametrize(("case", "bound", "truth"), BOUNDED)
def test_a_record_that_hides_a_priced_part_has_a_lower_bound(case: str, bound: float, truth: float) -> None:
    cost = RATING.cost(event(RECORDS[case]))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == (round(bound * 1_000_000), True)
    assert bound <= truth


def test_a_stream_that_broke_off_before_its_counts_has_an_unknown_cost() -> None:
    assert RATING.cost(event(RECORDS["claude-cut"])) is None


def test_the_counts_of_a_broken_stream_are_a_lower_bound() -> None:
    broken_record = {**RECORDS["groq"], "failed": True, "fail": {"status_code": 499, "body": ""}}
    cost = RATING.cost(event(broken_record))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == (74_800_000, True)


def split(**more: Any) -> dict[str, Any]:
    """A record of Claude from a gateway that splits every part."""
    parts = ["cache_read", "cache_write_1h", "audio", "image", "searches", "tier", "end"]
    return {**RECORDS["claude-plain"], "splits": parts, **more}


@pytest.mark.parametrize(
    ("record", "millionths", "partial"),
    [
        (split(), 1_005, False),
        (split(web_searches=3), 1_005 + 30_000, False),
        (split(model="claude-opus-4-8", speed="fast"), 100 * 10 + 10 * 1 + 20 * 50, False),
        (split(inference_geo="us"), 1_105.5, False),
        (split(model="claude-opus-4-8", speed="fast", inference_geo="us"), 2_211, False),
        (split(inference_geo="us", web_searches=3), 1_105.5 + 30_000, False),
        (split(splits=["cache_write_1h", "searches", "tier"]), 1_005, True),
        (split(splits=["cache_write_1h", "tier", "end"]), 1_005, True),
    ],
    ids=["usual", "searches", "fast", "place", "fast place", "searches in a place", "no end", "searches not told"],
)
def test_a_gateway_that_names_what_it_splits_gets_exact_costs(
    record: dict[str, Any], millionths: float, *, partial: bool
) -> None:
    cost = RATING.cost(event(record))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == (round(millionths * 1_000_000), partial)


def test_an_unknown_place_has_no_known_cost_but_that_of_a_price_for_every_place() -> None:
    abroad = event(split(inference_geo="mars"))
    own = OverrideList([Override("claude-opus-4-6", {Unit.INPUT: rate("1"), Unit.OUTPUT: rate("2")}, "anthropic")])
    assert RATING.cost(abroad) is None
    cost = EventRating(PriceBook([own])).cost(abroad)
    assert cost is not None


ALL = ["cache_read", "cache_write", "cache_write_1h", "audio", "image", "searches", "tier", "end", "image_tool"]
CLAUDE = {"provider": "openai-compatible-relay", "model": "claude-opus-4-6"}
CODEX = {"provider": "codex", "model": "gpt-5.3-codex"}
AUDIO = {"model": "gpt-4o-audio-preview"}
SEARCHING = {"provider": "openai-compatible-perplexity", "model": "sonar-pro"}
GROK = {"provider": "openai-compatible-xai", "model": "grok-4-0709"}
MISTRAL = {"provider": "openai-compatible-mistral", "model": "mistral-large-2512"}


@pytest.mark.parametrize(
    ("changed", "splits", "millionths", "partial"),
    [
        (CLAUDE, None, 100 * 0.5 + 20 * 25, True),
        (CLAUDE, ALL, 100 * 5 + 20 * 25, False),
        (CLAUDE, [name for name in ALL if name != "cache_write"], 100 * 5 + 20 * 25, True),
        ({}, [name for name in ALL if name != "cache_write"], 100 * 0.59 + 20 * 0.79, False),
        ({"model": "gpt-5"}, [name for name in ALL if name != "cache_read"], 100 * 0.125 + 20 * 10, True),
        (CODEX, None, 100 * 1.75 + 20 * 14, True),
        (CODEX, ALL, 100 * 1.75 + 20 * 14, False),
        (CODEX, [name for name in ALL if name != "image_tool"], 100 * 1.75 + 20 * 14, True),
        (CODEX | {"web_searches": 1}, ALL, 100 * 1.75 + 20 * 14, True),
        (SEARCHING, None, 100 * 3 + 20 * 15, True),
        (SEARCHING, ALL, 100 * 3 + 20 * 15 + 14_000, False),
        (AUDIO, None, 100 * 2.5 + 20 * 10, True),
        (AUDIO, ALL, 100 * 2.5 + 20 * 10, False),
        (GROK, None, 100 * 3 + 20 * 15, True),
        (GROK, ALL, 100 * 3 + 20 * 15, False),
        (GROK | {"web_searches": 6}, ALL, 100 * 3 + 20 * 15, True),
        (MISTRAL, None, 100 * 0.05 + 20 * 1.5, True),
        (MISTRAL, ALL, 100 * 0.5 + 20 * 1.5, False),
        (MISTRAL | {"model": "codestral-2508"}, None, 100 * 0.03 + 20 * 0.9, True),
    ],
    ids=[
        "Claude at a relay",
        "split",
        "no field for writes",
        "no rate for writes",
        "no field for reads",
        "Codex",
        "split Codex",
        "image tool",
        "search without a rate",
        "fee that grows with a search",
        "fee of a request",
        "audio model",
        "text of an audio model",
        "chat that may search",
        "chat that shows searches",
        "sources without a rate",
        "cache reads of Mistral",
        "split Mistral",
        "cache reads of Codestral",
    ],
)
def test_a_part_without_a_field_is_hidden_where_it_may_cost(
    changed: dict[str, Any], splits: list[str] | None, millionths: float, *, partial: bool
) -> None:
    cost = RATING.cost(event({**RECORDS["groq"], **changed, "splits": splits}))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == (round(millionths * 1_000_000), partial)


def test_audio_and_images_have_buckets_of_their_own_where_the_record_does() -> None:
    parts = breakdown(100, 1_300)
    parts["input"] |= {"audio_tokens": 40, "image_tokens": 10}
    parts["output"] |= {"image_tokens": 1_290}
    tokens = event({**RECORDS["gemini-image"], "token_breakdown": parts}).tokens
    assert (tokens.input, tokens.audio_in, tokens.image_in, tokens.output, tokens.image_out) == (50, 40, 10, 10, 1_290)
    assert (tokens.total, tokens.quality) == (1_400, TokenQuality.COMPLETE)


def test_sources_of_a_chat_cost_what_an_own_price_says() -> None:
    rates = {Unit.INPUT: rate("3"), Unit.OUTPUT: rate("15"), Unit.SEARCHES: Rate(Decimal(25), 1_000)}
    book = PriceBook([OverrideList([Override("grok-4-0709", rates)]), BuiltInList()])
    record = {**RECORDS["groq"], **GROK, "splits": ALL, "web_searches": 6}
    cost = EventRating(book).cost(event(record))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == ((100 * 3 + 20 * 15 + 6 * 25_000) * 1_000_000, False)


def test_an_own_price_is_for_all_that_it_names() -> None:
    own = OverrideList([Override("claude-opus-4-6", {Unit.INPUT: rate("5"), Unit.OUTPUT: rate("25")})])
    cost = EventRating(PriceBook([own, BuiltInList()])).cost(event(RECORDS["claude-hour"]))
    assert cost is not None
    assert (cost.pico_usd, cost.partial) == ((800 * 5 + 20 * 25) * 1_000_000, False)
