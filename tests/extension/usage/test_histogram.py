from bisect import bisect_left
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from extension.usage.histogram import bounds, bucket_of, quantile, value_of

LATENCIES = st.lists(st.integers(0, 7 * 24 * 3_600_000), min_size=1, max_size=200)


@given(LATENCIES, st.data())
def test_a_quantile_is_at_most_five_percent_off(latencies: list[int], data: st.DataObject) -> None:
    rank = data.draw(st.integers(1, len(latencies)))
    exact = sorted(latencies)[rank - 1]
    latency = quantile(Counter(map(bucket_of, latencies)), rank / len(latencies))

    assert latency is not None
    assert abs(latency - exact) <= exact * 0.05


@given(st.integers(0, 10**10))
def test_the_value_of_a_bucket_is_at_most_five_percent_from_each_latency_in_it(latency: int) -> None:
    counted = min(latency, 7 * 24 * 3_600_000)

    assert abs(value_of(bucket_of(latency)) - counted) <= counted * 0.05


@given(LATENCIES, LATENCIES)
def test_histograms_add_up(first: list[int], other: list[int]) -> None:
    together = Counter(map(bucket_of, first)) + Counter(map(bucket_of, other))

    assert together == Counter(map(bucket_of, first + other))


def test_the_bounds_of_buckets_divide_latencies_as_the_buckets_do() -> None:
    edges = bounds()
    last = edges[-1][0]
    near = {greatest + off for greatest, _ in edges for off in (-1, 0, 1)} | {0, 1, 2, 10**9}
    for latency in near - {-1}:
        place = min(bisect_left(edges, (latency, -2)), len(edges) - 1)
        assert edges[place][1] == bucket_of(latency)
    assert last >= 7 * 24 * 3_600_000


def test_the_median_of_nothing_is_unknown() -> None:
    assert quantile({}, 0.5) is None
