"""Storing of new events with their rollups, each event once.

Theory of operation: a duplicate (a takeover, an import that is repeated) has the same raw record, so the same time and
the same digest. It is looked for among the events of that millisecond, by the index of times that queries need in any
case; the digest itself has no index.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import insert, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage import price_versions
from extension.store.usage.dimensions import COLUMNS, NO_NAME, QUALITIES, NameKind
from extension.store.usage.names import Name, remember
from extension.store.usage.rollups import roll_up
from extension.usage.cost import EventCost
from extension.usage.event import UsageEvent
from extension.usage.tokens import BUCKETS

_CHUNK: Final = 400
_NAMED: Final = tuple((kind, kind.name.lower(), column) for kind, column in COLUMNS.items())
_COPIED: Final = ("at", "status", "latency_ms", "ttft_ms", "request_id", "digest")
_INSERT: Final = insert(USAGE_EVENTS)


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
    there = _digests(transaction, pool_id, {event.at for event, _ in distinct.values()})
    fresh = [pair for digest, pair in reversed(distinct.items()) if digest not in there]
    wanted = {(kind, getattr(event, field)) for event, _ in fresh for kind, field, _ in _NAMED}
    names = dict(known)
    names |= remember(transaction, [name for name in wanted if name not in names])
    terms = {cost.price_version: cost.terms for _, cost in fresh if cost is not None}
    priced_by = price_versions.remember(transaction, terms)
    rows = [_row(pool_id, event, cost, names, priced_by) for event, cost in fresh]
    if rows:
        transaction.execute(_INSERT, rows)
        roll_up(transaction, pool_id, rows)
    return Stored(len(rows), len(priced) - len(rows), names)


def _row(
    pool_id: int, event: UsageEvent, cost: EventCost | None, names: Mapping[Name, int], priced_by: Mapping[str, int]
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
        "price_version": None if cost is None else priced_by[cost.price_version],
        "partial": int(cost is not None and cost.partial),
    }


def _digests(transaction: Transaction, pool_id: int, times: Collection[int]) -> set[int]:
    ordered = sorted(times)
    found: set[int] = set()
    for start in range(0, len(ordered), _CHUNK):
        query = select(USAGE_EVENTS.c.digest).where(
            USAGE_EVENTS.c.at.in_(ordered[start : start + _CHUNK]), USAGE_EVENTS.c.pool_id == pool_id
        )
        found |= set(transaction.execute(query).scalars())
    return found


UNKNOWN_NAMES: Final[Mapping[tuple[NameKind, str], int]] = {}
"""No names known yet."""
