"""Re-rating of stored events: the state of the one under way, and its batches, each in one transaction.

Theory of operation: a batch changes events, the sums that hold them, and the position, together. A crash therefore
loses a whole batch or none of it, and the next start goes on from the position.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import bindparam, delete, insert, select, tuple_, update

from extension.prices.rerating import Preview, RatedEvent, RatingChange
from extension.prices.sums import CostSum
from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_COSTS, USAGE_EVENTS, USAGE_RERATINGS
from extension.store.usage import events, price_versions
from extension.store.usage.daily.summed_days import withdraw
from extension.store.usage.dimensions import ROLLED_UP
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.records import UsageFilter
from extension.store.usage.rollups import COST_SUMS, rollup_keys
from extension.store.usage.upserting import add_up
from extension.usage.calendar import HOUR_MS, Period

_EVENT: Final = USAGE_EVENTS.c
_ROW: Final = USAGE_RERATINGS.c
_COST: Final = USAGE_COSTS.c
_CHUNK: Final = 400
BEGINNING: Final = (-1, -1)
"""Position before every event."""


@dataclass(frozen=True, slots=True)
class RerateJob:
    """A re-rating: its period, position (time and number of the last event looked at) and effect so far."""

    period: Period
    position: tuple[int, int]
    effect: Preview
    actor: str
    started_at: int
    finished_at: int | None = None


def job(transaction: Transaction, pool_id: int, *, locked: bool = False) -> RerateJob | None:
    """Return the last re-rating; None before the first. `locked` keeps other writers from it until the commit."""
    query = select(USAGE_RERATINGS).where(_ROW.pool_id == pool_id)
    row = transaction.execute(query.with_for_update() if locked else query).one_or_none()
    if row is None:
        return None
    before, after = (CostSum(*numbers) for numbers in json.loads(row.sums))
    return RerateJob(
        Period(row.start_at, row.end_at),
        (row.position_at, row.position_seq),
        Preview(row.examined, row.changed, before, after),
        row.actor,
        row.started_at,
        row.finished_at,
    )


def put(transaction: Transaction, pool_id: int, wanted: RerateJob) -> None:
    """Store a re-rating in place of the one before."""
    transaction.execute(delete(USAGE_RERATINGS).where(_ROW.pool_id == pool_id))
    values = {
        "start_at": wanted.period.start,
        "end_at": wanted.period.end,
        "position_at": wanted.position[0],
        "position_seq": wanted.position[1],
        "examined": wanted.effect.examined,
        "changed": wanted.effect.changed,
        "sums": json.dumps([_numbers(wanted.effect.before), _numbers(wanted.effect.after)]),
        "actor": wanted.actor,
        "started_at": wanted.started_at,
        "finished_at": wanted.finished_at,
    }
    transaction.execute(insert(USAGE_RERATINGS).values(pool_id=pool_id, **values))


def advanced(wanted: RerateJob, batch: Sequence[RatedEvent], effect: Preview) -> RerateJob:
    """Return a re-rating after a batch."""
    last = batch[-1]
    return replace(wanted, position=(last.event.at, last.id), effect=wanted.effect + effect)


def rated(
    transaction: Transaction, pool_id: int, period: Period, position: tuple[int, int], limit: int
) -> tuple[RatedEvent, ...]:
    """Return stored events of a period after a position, the oldest first."""
    conditions = NamedFilter(transaction, pool_id, UsageFilter()).conditions(period)
    query = select(USAGE_EVENTS).where(*conditions, tuple_(_EVENT.at, _EVENT.seq) > tuple_(*position))
    found = events.read(transaction, query.order_by(_EVENT.at, _EVENT.seq).limit(limit))
    return tuple(RatedEvent(one.seq, one.event, one.pico_usd, one.partial, one.price_version) for one in found)


def rerate(transaction: Transaction, pool_id: int, changes: Sequence[RatingChange]) -> None:
    """Store new costs, and carry the differences into every sum that holds the events."""
    if not changes:
        return
    terms = {change.cost.price_version: change.cost.terms for change in changes if change.cost is not None}
    ids = price_versions.remember(transaction, terms)
    new = {change.event.id: _values(change, ids) for change in changes}
    old = {row["seq"]: row for row in _stored(transaction, sorted(new))}
    changed = update(USAGE_EVENTS).where(_EVENT.seq == bindparam("changed_seq"))
    names = ("pico_usd", "price_version", "partial")
    transaction.execute(
        changed.values({name: bindparam(f"new_{name}") for name in names}),
        [{"changed_seq": seq, **{f"new_{name}": new[seq][name] for name in names}} for seq in old],
    )
    _carry(transaction, pool_id, ((row, new[seq]) for seq, row in old.items()))
    hours = {row["at"] // HOUR_MS for row in old.values()}
    withdraw(transaction, pool_id, hours)
    _drop_empty(transaction, pool_id, hours)


def _values(change: RatingChange, ids: dict[str, int]) -> dict[str, int | None]:
    cost = change.cost
    if cost is None:
        return {"pico_usd": None, "price_version": None, "partial": 0}
    return {"pico_usd": cost.pico_usd, "price_version": ids[cost.price_version], "partial": int(cost.partial)}


def _stored(transaction: Transaction, seqs: Sequence[int]) -> Iterable[dict[str, Any]]:
    for start in range(0, len(seqs), _CHUNK):
        query = select(USAGE_EVENTS).where(_EVENT.seq.in_(seqs[start : start + _CHUNK]))
        yield from (dict(row) for row in transaction.execute(query).mappings())


def _carry(
    transaction: Transaction, pool_id: int, pairs: Iterable[tuple[dict[str, Any], dict[str, int | None]]]
) -> None:
    sums: dict[tuple[int, int, int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row, new in pairs:
        for key in rollup_keys(row):
            for cost, sign in ((row, -1), (new, 1)):
                pico, version, partial = cost["pico_usd"], cost["price_version"], cost["partial"]
                if pico is not None and version is not None:
                    total = sums[*key, version]
                    total[0] += sign * pico
                    total[1] += sign
                    total[2] += sign * (partial or 0)
    keys = ("dimension", "hour", "name_id", "price_version")
    rows = (
        {"pool_id": pool_id, **dict(zip(keys, key, strict=True)), **dict(zip(COST_SUMS, numbers, strict=True))}
        for key, numbers in sums.items()
        if any(numbers)
    )
    add_up(transaction, USAGE_COSTS, rows)


def _drop_empty(transaction: Transaction, pool_id: int, hours: set[int]) -> None:
    # Every dimension is named, so that the primary key is searched: without, each batch read every cost ever stored.
    found = (_COST.pool_id == pool_id, _COST.dimension.in_([kind.value for kind in ROLLED_UP]), _COST.hour.in_(hours))
    transaction.execute(delete(USAGE_COSTS).where(*found, _COST.requests == 0))


def _numbers(found: CostSum) -> list[int]:
    return [found.pico, found.requests, found.incomplete, found.unknown]
