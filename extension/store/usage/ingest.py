"""Storing of new events with their hourly sums, each event once, and removal of the oldest.

Theory of operation: a duplicate (a takeover, an import that is repeated) has the same raw record, so the same time and
the same digest. It is looked for among the events of that millisecond, by the index of times that queries need in any
case; the digest itself has no index. Sums of hours, gaps and names outlive the events.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import Table, delete, func, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.dialects import chunks, upsert
from extension.store.schema.usage_tables import HOUR_NUMBERS, USAGE_EVENTS, USAGE_HOURS, USAGE_LATENCIES
from extension.store.usage.collection import note_pruned
from extension.store.usage.names import (
    COLUMNS,
    NO_NAME,
    QUALITIES,
    ROLLED_UP,
    Name,
    NameKind,
    remember,
    remember_prices,
)
from extension.usage.calendar import HOUR_MS
from extension.usage.event import BUCKETS, EventCost, TokenQuality, UsageEvent
from extension.usage.histogram import bucket_of

BYTES_AN_EVENT: Final = 300
"""Size of an event with its indexes on disk, at most."""
_PRUNED: Final = 2_000
_DAY_MS: Final = 24 * HOUR_MS
_NAMED: Final = tuple((kind, kind.name.lower(), column) for kind, column in COLUMNS.items())
_COPIED: Final = ("at", "status", "latency_ms", "ttft_ms", "request_id", "digest", "searches")
_INSERT: Final = insert(USAGE_EVENTS)
_UNCLASSIFIED: Final = QUALITIES.index(TokenQuality.UNCLASSIFIED)
_INCONSISTENT: Final = QUALITIES.index(TokenQuality.INCONSISTENT)
_ROW: Final = USAGE_EVENTS.c
_HourKey: TypeAlias = tuple[int, int, int]  # dimension, hour, id of a name


@dataclass(frozen=True, slots=True)
class Stored:
    """Result of storing events; `names` may be handed to the next call once the transaction is committed."""

    new: int
    duplicates: int
    names: Mapping[Name, int]


def store(
    transaction: Transaction,
    pool_id: int,
    priced: Sequence[tuple[UsageEvent, EventCost | None]],
    known: Mapping[Name, int],
) -> Stored:
    """Store events that are not there yet, and add them to their hours. `known` are names of committed transactions."""
    distinct = {event.digest: (event, cost) for event, cost in reversed(priced)}
    digests = _digests(transaction, pool_id, {event.at for event, _ in distinct.values()})
    fresh = [pair for digest, pair in reversed(distinct.items()) if digest not in digests]
    event_names = {(kind, getattr(event, field)) for event, _ in fresh for kind, field, _ in _NAMED}
    names = dict(known)
    names |= remember(transaction, [name for name in event_names if name not in names])
    terms = {cost.price_version: cost.terms for _, cost in fresh if cost is not None}
    price_ids = remember_prices(transaction, terms)
    rows = [_row(pool_id, event, cost, names, price_ids) for event, cost in fresh]
    if rows:
        transaction.execute(_INSERT, rows)
        _roll_up(transaction, pool_id, rows)
    return Stored(len(rows), len(priced) - len(rows), names)


def add_to_hours(transaction: Transaction, pool_id: int, sums: Mapping[_HourKey, Sequence[int]]) -> None:
    """Add numbers, in the order of `HOUR_NUMBERS`, to the sums of hours."""
    rows = ((key, dict(zip(HOUR_NUMBERS, numbers, strict=True))) for key, numbers in sums.items())
    _add_up(transaction, USAGE_HOURS, (_hour_row(pool_id, key, numbers) for key, numbers in rows))


def hour_keys(row: Mapping[str, Any]) -> Iterator[_HourKey]:
    """Yield the keys of the sums that hold the row of an event."""
    hour = row["at"] // HOUR_MS
    for kind in ROLLED_UP:
        name_id = NO_NAME if kind is NameKind.TOTAL else row[COLUMNS[kind]]
        if kind is not NameKind.FAILURE or name_id != NO_NAME:
            yield kind.value, hour, name_id


def prune(transaction: Transaction, pool_id: int, now: int, *, keep_days: int, keep_bytes: int) -> int:
    """Remove some of the oldest events beyond the limits; return how many, 0 when all is within them.

    A call removes a part, so that a writer never waits long for it; call again until nothing is removed.
    """
    oldest_first = select(_ROW.seq, _ROW.at).where(_ROW.pool_id == pool_id).order_by(_ROW.at)
    limit = now - keep_days * _DAY_MS
    old = transaction.execute(oldest_first.where(_ROW.at < limit).limit(_PRUNED)).all()
    if not old:
        count = transaction.execute(select(func.count()).select_from(USAGE_EVENTS)).scalar() or 0
        surplus = min(_PRUNED, count - keep_bytes // BYTES_AN_EVENT)
        if surplus <= 0:
            return 0
        old = transaction.execute(oldest_first.limit(surplus)).all()
    seqs = [row.seq for row in old]
    for chunk in chunks(seqs):
        transaction.execute(delete(USAGE_EVENTS).where(_ROW.seq.in_(chunk)))
    if old:
        note_pruned(transaction, pool_id, max(row.at for row in old) + 1)
    return len(old)


def _row(
    pool_id: int, event: UsageEvent, cost: EventCost | None, names: Mapping[Name, int], price_ids: Mapping[str, int]
) -> dict[str, Any]:
    tokens = event.tokens
    return {
        "pool_id": pool_id,
        **{column: names[kind, text] if (text := getattr(event, field)) else NO_NAME for kind, field, column in _NAMED},
        **{name: getattr(event, name) for name in _COPIED},
        **{name: getattr(tokens, name) for name in BUCKETS},
        "total": tokens.total,
        "quality": QUALITIES.index(tokens.quality),
        "pico_usd": None if cost is None else cost.pico_usd,
        "price_version": None if cost is None else price_ids[cost.price_version],
        "partial": int(cost is not None and cost.partial),
        "hidden": event.hidden.value,
    }


def _digests(transaction: Transaction, pool_id: int, times: Collection[int]) -> set[int]:
    digests: set[int] = set()
    for chunk in chunks(sorted(times)):
        query = select(_ROW.digest).where(_ROW.at.in_(chunk), _ROW.pool_id == pool_id)
        digests |= set(transaction.execute(query).scalars())
    return digests


def _roll_up(transaction: Transaction, pool_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows of events to the sums of their hours, within the transaction that stores the events."""
    sums: dict[_HourKey, list[int]] = {}
    latencies: Counter[tuple[_HourKey, int]] = Counter()
    for row in rows:
        numbers = _numbers(row)
        bucket = bucket_of(row["latency_ms"])
        for key in hour_keys(row):
            before = sums.get(key)
            sums[key] = numbers if before is None else [sum(pair) for pair in zip(before, numbers, strict=True)]
            latencies[key, bucket] += 1
    add_to_hours(transaction, pool_id, sums)
    counted = (
        _hour_row(pool_id, key, {"bucket": bucket, "requests": count}) for (key, bucket), count in latencies.items()
    )
    _add_up(transaction, USAGE_LATENCIES, counted)


def _numbers(row: Mapping[str, Any]) -> list[int]:
    """Return what an event adds to its hours, in the order of `HOUR_NUMBERS`."""
    quality, cost = row["quality"], row["pico_usd"]
    return [
        1,
        int(row["failure_id"] != NO_NAME),
        int(quality == _UNCLASSIFIED),
        int(quality == _INCONSISTENT),
        *(row[name] for name in BUCKETS),
        row["total"],
        cost or 0,
        int(cost is not None),
        row["partial"],
    ]


def _hour_row(pool_id: int, key: _HourKey, numbers: Mapping[str, int]) -> dict[str, int]:
    return {"pool_id": pool_id, "dimension": key[0], "hour": key[1], "name_id": key[2], **numbers}


def _add_up(transaction: Transaction, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add the numbers of rows to those stored under the same primary key.

    The rows are sorted by their key: two writers then lock rows in the same order and cannot wait for each other.
    """
    keys = [column.name for column in table.primary_key]
    ordered = sorted(rows, key=lambda row: [row[name] for name in keys])
    if not ordered:
        return
    statement = upsert(transaction, table)
    sums = {column.name: column + statement.excluded[column.name] for column in table.c if column.name not in keys}
    transaction.execute(statement.on_conflict_do_update(index_elements=keys, set_=sums), ordered)
