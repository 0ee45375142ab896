"""Additive histogram of latencies: logarithmic buckets, so that sums of histograms lose nothing.

Bucket `n` holds latencies above `GROWTH ** (n - 1)` and up to `GROWTH ** n` milliseconds. A quantile is answered by the
value of a bucket that is at most `ERROR` from each latency in it.
"""

import math
from collections.abc import Mapping
from typing import Final

GROWTH: Final = 1.1
ERROR: Final = (GROWTH - 1) / (GROWTH + 1)
"""Greatest relative error of a quantile: 4.8 %."""
_LOG: Final = math.log(GROWTH)
_ROUNDING: Final = 1e-6  # A share such as 1/3 times a count comes out a little above a whole number
_LONGEST_MS: Final = 7 * 24 * 3_600_000
NO_TIME: Final = -1
"""Bucket of latencies of less than a millisecond."""


def bucket_of(latency_ms: int) -> int:
    """Return the bucket of a latency; those over a week share the last."""
    if latency_ms < 1:
        return NO_TIME
    bucket = math.ceil(math.log(min(latency_ms, _LONGEST_MS)) / _LOG)
    # The logarithm of an exact power may come out a little above or below it.
    return bucket - 1 if latency_ms <= GROWTH ** (bucket - 1) else bucket


def bounds() -> tuple[tuple[int, int], ...]:
    """Return the greatest whole latency of each bucket that holds any, and the bucket; the last has no greatest."""
    buckets: list[tuple[int, int]] = [(0, NO_TIME)]
    for bucket in range(bucket_of(_LONGEST_MS) + 1):
        greatest = int(GROWTH**bucket)
        if bucket_of(greatest) > bucket:
            greatest -= 1
        elif bucket_of(greatest + 1) == bucket:
            greatest += 1
        if greatest > buckets[-1][0]:
            buckets.append((greatest, bucket))
    return tuple(buckets)


def value_of(bucket: int) -> float:
    """Return the latency in milliseconds that stands for a bucket."""
    return 0.0 if bucket == NO_TIME else GROWTH**bucket * 2 / (GROWTH + 1)


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """Return the latency that a share (0 to 1) of all latencies does not exceed; None for an empty histogram."""
    remaining = max(1, math.ceil(sum(counts.values()) * share - _ROUNDING))
    for bucket in sorted(counts):
        remaining -= counts[bucket]
        if remaining <= 0:
            return value_of(bucket)
    return None
