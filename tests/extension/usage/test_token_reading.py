from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.usage.event import TokenCounts, TokenQuality
from extension.usage.record_reading import CountInvalid, token_counts
from tests.extension.usage.samples import breakdown, tokens

COUNT = st.integers(0, 10**8)


@given(uncached=COUNT, plain=COUNT, read=COUNT, written=COUNT, reasoning=COUNT, beyond=COUNT)
def test_the_parts_of_a_breakdown_and_what_is_unclassified_make_up_the_total(
    *, uncached: int, plain: int, read: int, written: int, reasoning: int, beyond: int
) -> None:
    parts = breakdown(uncached, plain, read=read, written=written, reasoning=reasoning, beyond=beyond)
    counts = token_counts({"token_breakdown": parts})

    assert counts.classified + beyond == counts.total == parts["total_tokens"]
    assert counts.quality is (TokenQuality.UNCLASSIFIED if beyond else TokenQuality.COMPLETE)
    assert (counts.input, counts.cache_read, counts.cache_write_5m) == (uncached, read, written)


@given(st.dictionaries(st.sampled_from(["total_tokens", "unclassified_tokens"]), COUNT, min_size=1))
def test_a_breakdown_that_does_not_add_up_is_kept_and_flagged(changes: dict[str, int]) -> None:
    parts = {**breakdown(1, 2, read=3), **changes}
    counts = token_counts({"token_breakdown": parts})

    adds_up = 6 + parts["unclassified_tokens"] == parts["total_tokens"]
    assert (counts.quality is TokenQuality.INCONSISTENT) is not adds_up
    assert (counts.input, counts.output, counts.cache_read, counts.total) == (1, 2, 3, parts["total_tokens"])


@pytest.mark.parametrize(
    ("written", "hour", "expected", "quality"),
    [
        (700, 600, (100, 600), TokenQuality.COMPLETE),
        (700, 0, (700, 0), TokenQuality.COMPLETE),
        (700, 701, (0, 701), TokenQuality.INCONSISTENT),
    ],
)
def test_cache_writes_are_told_apart_by_lifetime_where_the_record_does(
    written: int, hour: int, expected: tuple[int, int], quality: TokenQuality
) -> None:
    parts = breakdown(5, 2, written=written)
    parts["input"] |= {"cache_write_1h_tokens": hour}
    counts = token_counts({"token_breakdown": parts})

    assert (counts.cache_write_5m, counts.cache_write_1h) == expected
    assert (counts.total, counts.quality) == (707, quality)


def test_a_breakdown_that_the_gateway_doubts_stays_inconsistent() -> None:
    assert token_counts({"token_breakdown": {**breakdown(1, 2), "quality": "inconsistent"}}).quality == "inconsistent"


@pytest.mark.parametrize(
    ("reported", "expected"),
    [
        # cached and reasoning tokens within input and output, as chat completions report them
        (
            tokens(100, 50, 150, cached_tokens=30, reasoning_tokens=20),
            TokenCounts(input=70, cache_read=30, output=30, reasoning=20),
        ),
        # cached tokens beside the input, as messages report them
        (
            tokens(100, 50, 187, cache_read_tokens=30, cached_tokens=30, cache_creation_tokens=7),
            TokenCounts(input=100, cache_read=30, cache_write_5m=7, output=50),
        ),
        # reasoning beside the output, as Gemini reports it
        (
            tokens(100, 50, 170, cached_tokens=30, reasoning_tokens=20),
            TokenCounts(input=70, cache_read=30, output=50, reasoning=20),
        ),
        (tokens(0, 0, 9), TokenCounts(total=9, quality=TokenQuality.UNCLASSIFIED)),
        (tokens(5, 2, 9), TokenCounts(input=5, output=2, total=9, quality=TokenQuality.INCONSISTENT)),
        ({}, TokenCounts()),
    ],
)
def test_overlapping_counts_are_told_apart_by_their_total(reported: dict[str, Any], expected: TokenCounts) -> None:
    assert token_counts({"tokens": reported}) == expected


@given(
    entered=COUNT,
    written=COUNT,
    read=COUNT,
    reasoning=COUNT,
    inside_input=st.booleans(),
    inside_output=st.booleans(),
)
def test_no_token_of_the_older_form_is_counted_twice(
    *, entered: int, written: int, read: int, reasoning: int, inside_input: bool, inside_output: bool
) -> None:
    read, reasoning = min(read, entered), min(reasoning, written)
    total = entered + written + (0 if inside_input else read) + (0 if inside_output else reasoning)
    counts = token_counts({"tokens": tokens(entered, written, total, cached_tokens=read, reasoning_tokens=reasoning)})

    assert counts.quality is TokenQuality.COMPLETE
    assert counts.classified == total


def test_a_count_that_no_request_can_have_is_refused_and_named() -> None:
    most = 2**31 - 1
    assert token_counts({"tokens": tokens(most, 0, most)}).total == most
    with pytest.raises(CountInvalid, match="total_tokens"):
        token_counts({"tokens": tokens(most, 1, most + 1)})
