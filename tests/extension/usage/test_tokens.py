from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extension.usage.event import BUCKETS, TokenCounts, TokenQuality

COUNTS = st.dictionaries(st.sampled_from(BUCKETS), st.integers(0, 10**12))


@given(COUNTS)
def test_the_total_is_the_sum_of_the_buckets_where_none_is_given(counts: dict[str, Any]) -> None:
    tokens = TokenCounts(**counts)

    assert tokens.total == sum(counts.values())
    assert tokens.quality is TokenQuality.COMPLETE


@pytest.mark.parametrize("name", [*BUCKETS, "total"])
def test_a_negative_count_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="at least 0"):
        TokenCounts(quality=TokenQuality.INCONSISTENT, **{"total": 5, name: -2})


def test_complete_counts_cannot_have_another_total() -> None:
    with pytest.raises(ValueError, match="make up the total"):
        TokenCounts(input=3, total=4)


def test_counts_that_disagree_are_kept_as_reported() -> None:
    tokens = TokenCounts(input=3, total=2, quality=TokenQuality.INCONSISTENT)

    assert (tokens.classified, tokens.total) == (3, 2)
