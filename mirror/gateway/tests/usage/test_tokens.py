"""Token counts of every dialect, and what always holds between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.usage.counts import Dialect, Quality, counts_of

NUMBERS = st.one_of(st.integers(-5, 10**9), st.none(), st.text(max_size=2), st.booleans(), st.floats(allow_nan=False))
DETAILS = st.dictionaries(st.sampled_from(["cached_tokens", "reasoning_tokens"]), NUMBERS)
USAGE = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(
            [
                "prompt_tokens",
                "completion_tokens",
                "input_tokens",
                "output_tokens",
                "total_tokens",
                "cache_read_input_tokens",
                "cache_creation_input_tokens",
                "promptTokenCount",
                "candidatesTokenCount",
                "thoughtsTokenCount",
                "toolUsePromptTokenCount",
                "cachedContentTokenCount",
                "totalTokenCount",
            ],
            NUMBERS,
        ),
        "cache_creation": st.one_of(
            st.dictionaries(st.sampled_from(["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"]), NUMBERS),
            st.none(),
        ),
        **dict.fromkeys(
            ["prompt_tokens_details", "completion_tokens_details", "input_tokens_details", "output_tokens_details"],
            st.one_of(DETAILS, st.none(), st.integers()),
        ),
    },
)


@given(st.sampled_from(Dialect), USAGE)
def test_every_total_is_the_sum_of_its_parts_whatever_an_upstream_reports(
    dialect: Dialect, usage: dict[str, object]
) -> None:
    counts = counts_of(dialect, usage)
    shown = counts.breakdown()
    entered, left = shown["input"], shown["output"]
    assert isinstance(entered, dict)
    assert isinstance(left, dict)
    parts = ("uncached_tokens", "cache_read_tokens", "cache_write_tokens")
    assert entered["total_tokens"] == sum(entered[part] for part in parts)
    assert left["total_tokens"] == left["non_reasoning_tokens"] + left["reasoning_tokens"]
    assert shown["total_tokens"] == entered["total_tokens"] + left["total_tokens"] + counts.unclassified
    assert counts.quality is not Quality.COMPLETE or counts.unclassified == 0
    assert min(*(entered[part] for part in parts), *left.values(), counts.unclassified) >= 0
    assert 0 <= entered.get("cache_write_1h_tokens", 0) <= entered["cache_write_tokens"]


@pytest.mark.parametrize(
    ("dialect", "usage", "tokens", "parts"),
    [
        (
            Dialect.CHAT,
            {
                "prompt_tokens": 100,
                "completion_tokens": 50,
                "total_tokens": 150,
                "prompt_tokens_details": {"cached_tokens": 40},
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            (100, 50, 20, 40, 0, 150),
            (60, 30, 0, Quality.COMPLETE),
        ),
        (
            Dialect.RESPONSES,
            {
                "input_tokens": 100,
                "output_tokens": 50,
                "input_tokens_details": {"cached_tokens": 40},
                "output_tokens_details": {"reasoning_tokens": 20},
            },
            (100, 50, 20, 40, 0, 150),
            (60, 30, 0, Quality.COMPLETE),
        ),
        (
            Dialect.MESSAGES,
            {"input_tokens": 10, "output_tokens": 50, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 5},
            (10, 50, 0, 40, 5, 105),
            (10, 50, 0, Quality.COMPLETE),
        ),
        (
            Dialect.GEMINI,
            {
                "promptTokenCount": 100,
                "candidatesTokenCount": 30,
                "thoughtsTokenCount": 20,
                "cachedContentTokenCount": 40,
                "totalTokenCount": 150,
            },
            (100, 30, 20, 40, 0, 150),
            (60, 30, 0, Quality.COMPLETE),
        ),
        (Dialect.CHAT, {"total_tokens": 9}, (0, 0, 0, 0, 0, 9), (0, 0, 9, Quality.UNCLASSIFIED)),
        (
            Dialect.CHAT,
            {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 3},
            (5, 5, 0, 0, 0, 3),
            (5, 5, 0, Quality.INCONSISTENT),
        ),
        (Dialect.CHAT, {}, (0, 0, 0, 0, 0, 0), (0, 0, 0, Quality.COMPLETE)),
    ],
)
def test_each_dialect_reports_in_its_own_way(
    dialect: Dialect, usage: dict[str, object], tokens: tuple[int, ...], parts: tuple[int, int, int, Quality]
) -> None:
    counts = counts_of(dialect, usage)
    shown = counts.tokens()
    names = ["input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens"]
    assert tuple(shown[name] for name in [*names, "cache_creation_tokens", "total_tokens"]) == tokens
    assert shown["cache_read_tokens"] == shown["cached_tokens"]
    assert shown["cache_read_tokens_present"] is True
    assert (counts.uncached, counts.plain, counts.unclassified, counts.quality) == parts


@pytest.mark.parametrize(
    ("lifetimes", "hour"),
    [
        ({"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 400}, 400),
        ({"ephemeral_5m_input_tokens": 500, "ephemeral_1h_input_tokens": 0}, None),
        ({"ephemeral_1h_input_tokens": 900}, 500),
        (None, None),
    ],
)
def test_tokens_written_for_an_hour_are_a_part_of_those_written(
    lifetimes: dict[str, int] | None, hour: int | None
) -> None:
    counts = counts_of(
        Dialect.MESSAGES,
        {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 500, "cache_creation": lifetimes},
    )
    entered = counts.breakdown()["input"]
    assert isinstance(entered, dict)
    assert (entered["cache_write_tokens"], entered.get("cache_write_1h_tokens")) == (500, hour)
    assert counts.tokens()["cache_creation_tokens"] == 500
    assert counts.total == 515
