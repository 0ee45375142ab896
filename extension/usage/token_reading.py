"""Token buckets from the two forms in which gateways report them.

Theory of operation: since release 7.2.97 a record has a breakdown whose parts exclude each other. Older records have
counts that overlap by the provider's rules: cached tokens within the input or beside it, reasoning within the output or
beside it. Their total tells which: the one reading that adds up to it is taken. Where none does, the record is kept as
it is and called inconsistent.

Our gateway names the part of the cache writes that is kept for an hour; stock releases up to 7.2.140 do not.
"""

from collections.abc import Mapping
from typing import Any, Final

from extension.usage.tokens import TokenCounts, TokenQuality

MOST_TOKENS: Final = 2**31 - 1
"""Greatest count of one request that is believed; the tables have room for no greater one."""


class CountInvalid(ValueError):  # noqa: N818 - the name says what is wrong
    """A count is negative, no whole number, or beyond belief."""


def token_counts(record: Mapping[str, Any]) -> TokenCounts:
    """Return the buckets of a gateway's record.

    Raises:
        CountInvalid: a count cannot be one.
    """
    breakdown = record.get("token_breakdown")
    if isinstance(breakdown, Mapping):
        return _from_breakdown(breakdown)
    return _from_counts(_part(record, "tokens"))


def _from_breakdown(breakdown: Mapping[str, Any]) -> TokenCounts:
    entered, left = _part(breakdown, "input"), _part(breakdown, "output")
    total, beyond = _count(breakdown, "total_tokens"), _count(breakdown, "unclassified_tokens")
    written, hour = _count(entered, "cache_write_tokens"), _count(entered, "cache_write_1h_tokens")
    return _judged(
        {
            "input": _count(entered, "uncached_tokens"),
            "cache_read": _count(entered, "cache_read_tokens"),
            "cache_write_5m": max(written - hour, 0),
            "cache_write_1h": hour,
            "output": _count(left, "non_reasoning_tokens"),
            "reasoning": _count(left, "reasoning_tokens"),
        },
        total,
        beyond,
        doubted=breakdown.get("quality") == TokenQuality.INCONSISTENT,
    )


def _judged(buckets: Mapping[str, int], total: int, beyond: int, *, doubted: bool) -> TokenCounts:
    parts = sum(buckets.values())
    if doubted or parts + beyond != total:
        quality = TokenQuality.INCONSISTENT
    else:
        quality = TokenQuality.UNCLASSIFIED if beyond else TokenQuality.COMPLETE
    return TokenCounts(**buckets, quality=quality, total=total)


def _from_counts(tokens: Mapping[str, Any]) -> TokenCounts:
    entered, left = _count(tokens, "input_tokens"), _count(tokens, "output_tokens")
    reasoning, written = _count(tokens, "reasoning_tokens"), _count(tokens, "cache_creation_tokens")
    read = _count(tokens, "cache_read_tokens") or _count(tokens, "cached_tokens")
    total = _count(tokens, "total_tokens")
    told = {"cache_read": read, "cache_write_5m": written, "reasoning": reasoning}
    if not entered and not left and not any(told.values()):
        return _judged({}, total, total, doubted=False)
    for inside_input in (True, False):
        for inside_output in (True, False):
            buckets: dict[str, Any] = {
                **told,
                "input": entered - (read + written) * inside_input,
                "output": left - reasoning * inside_output,
            }
            if min(buckets.values()) >= 0 and sum(buckets.values()) == total:
                return TokenCounts(**buckets)
    return TokenCounts(input=entered, output=left, **told, quality=TokenQuality.INCONSISTENT, total=total)


def _part(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = record.get(name)
    return value if isinstance(value, Mapping) else {}


def _count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_TOKENS:
        raise CountInvalid(name)
    return value
