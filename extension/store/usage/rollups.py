"""Hourly sums of new events, by dimension: counts, latencies and costs."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_COSTS, USAGE_HOURS, USAGE_LATENCIES
from extension.store.usage.daily.summed_days import withdraw
from extension.store.usage.dimensions import COLUMNS, NO_NAME, QUALITIES, ROLLED_UP, NameKind
from extension.store.usage.upserting import add_up
from extension.usage.calendar import HOUR_MS
from extension.usage.histogram import bucket_of
from extension.usage.tokens import BUCKETS, TokenQuality

_Key: TypeAlias = tuple[int, int, int]
"""Dimension, hour, id of a name."""
_UNCLASSIFIED: Final = QUALITIES.index(TokenQuality.UNCLASSIFIED)
_INCONSISTENT: Final = QUALITIES.index(TokenQuality.INCONSISTENT)
_SUMMED: Final = (*BUCKETS, "total")
COST_SUMS: Final = ("pico_usd", "requests", "incomplete")
_COUNTED: Final = ("requests", "failed", "unclassified", "inconsistent")


def roll_up(transaction: Transaction, pool_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows of events to the sums of their hours, within the transaction that stores the events."""
    sums: dict[_Key, list[int]] = {}
    latencies: Counter[tuple[int, int, int, int]] = Counter()
    costs: dict[tuple[int, int, int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        numbers = _numbers(row)
        bucket = bucket_of(row["latency_ms"])
        version, cost = row["price_version"], row["pico_usd"]
        for key in rollup_keys(row):
            found = sums.get(key)
            sums[key] = numbers if found is None else [one + other for one, other in zip(found, numbers, strict=True)]
            latencies[*key, bucket] += 1
            if cost is not None and version is not None:
                total = costs[*key, version]
                total[0] += cost
                total[1] += 1
                total[2] += row["partial"]
    withdraw(transaction, pool_id, {hour for _, hour, _ in sums})
    names = (*_COUNTED, *_SUMMED)
    add_up(transaction, USAGE_HOURS, _rows(pool_id, sums.items(), (), names))
    counted = ((key, (count,)) for key, count in latencies.items())
    add_up(transaction, USAGE_LATENCIES, _rows(pool_id, counted, ("bucket",), ("requests",)))
    add_up(transaction, USAGE_COSTS, _rows(pool_id, costs.items(), ("price_version",), COST_SUMS))


def _numbers(row: Mapping[str, Any]) -> list[int]:
    quality = row["quality"]
    return [
        1,
        int(row["failure_id"] != NO_NAME),
        int(quality == _UNCLASSIFIED),
        int(quality == _INCONSISTENT),
        *(row[name] for name in _SUMMED),
    ]


def rollup_keys(row: Mapping[str, Any]) -> Iterable[_Key]:
    """Yield the keys of the sums that hold a row: dimension, hour and name."""
    hour = row["at"] // HOUR_MS
    for kind in ROLLED_UP:
        name_id = NO_NAME if kind is NameKind.TOTAL else row[COLUMNS[kind]]
        if kind is not NameKind.FAILURE or name_id != NO_NAME:
            yield kind.value, hour, name_id


def _rows(
    pool_id: int, summed: Iterable[tuple[tuple[int, ...], Sequence[int]]], more: Sequence[str], names: Sequence[str]
) -> Iterable[dict[str, int]]:
    keys = ("dimension", "hour", "name_id", *more)
    for key, numbers in summed:
        yield {"pool_id": pool_id, **dict(zip(keys, key, strict=True)), **dict(zip(names, numbers, strict=True))}
