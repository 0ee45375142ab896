"""Stored costs: the counts that explain them, and their re-rating.

Theory of operation: a batch of a re-rating changes events, the sums that hold them, and the position, together. A crash
therefore loses a whole batch or none of it, and the next start goes on from the position.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Final

from sqlalchemy import bindparam, case, delete, func, insert, literal, select, tuple_, update

from extension.prices.cost import CostSum
from extension.prices.event_rating import Preview, RatedEvent, RatingChange
from extension.prices.rates import INPUT_UNITS
from extension.store.database.database import Transaction
from extension.store.schema.dialects import chunks
from extension.store.schema.usage_tables import HOUR_NUMBERS, USAGE_EVENTS, USAGE_RERATINGS
from extension.store.usage import events
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.ingest import add_to_hours, hour_keys
from extension.store.usage.names import COLUMNS, NO_NAME, QUALITIES, NameKind, remember_prices, texts
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period
from extension.usage.event import BUCKETS, TokenQuality
from extension.usage.record_form import Part

_EVENT: Final = USAGE_EVENTS.c
_ROW: Final = USAGE_RERATINGS.c
_INPUTS: Final = tuple(unit.value for unit in INPUT_UNITS)
_UNKNOWN_KINDS: Final = (NameKind.PROVIDER, NameKind.MODEL, NameKind.ALIAS, NameKind.TIER)
_PRICED: Final = ("band", "requests", "successes", "incomplete", "pico_usd", "total", "searches")
_NOTHING: Final = (0,) * (len(HOUR_NUMBERS) - 3)
BEGINNING: Final = (-1, -1)
"""Position of a re-rating before every event."""


@dataclass(frozen=True, slots=True)
class PricedCounts:
    """Events with one price version whose input is above the same threshold (`band`, 0 for none)."""

    band: int
    requests: int
    successes: int
    incomplete: int
    pico_usd: int
    buckets: Mapping[str, int]
    total: int
    searches: int
    hidden: Part


@dataclass(frozen=True, slots=True)
class UnpricedCounts:
    """Events without a cost of one provider, model, alias, tier and quality; `last_at` is the time of the newest."""

    provider: str
    model: str
    alias: str
    tier: str
    quality: TokenQuality
    requests: int
    total: int
    last_at: int


class Counted:
    """Events of a filter and period, or the one with a number, within one transaction."""

    def __init__(self, transaction: Transaction, named: NamedFilter, period: Period | None, seq: int | None) -> None:
        self._transaction = transaction
        self._conditions = (*named.conditions(period), *(() if seq is None else (_EVENT.seq == seq,)))

    def versions(self) -> list[int]:
        """Return the price versions of the events, the one with the highest cost first."""
        cost = func.sum(_EVENT.pico_usd).label("cost")
        query = select(_EVENT.price_version, cost).where(*self._conditions, _EVENT.price_version.is_not(None))
        ordered = query.group_by(_EVENT.price_version).order_by(cost.desc(), _EVENT.price_version)
        return [int(row.price_version) for row in self._transaction.execute(ordered)]

    def priced(self, number: int, thresholds: Sequence[int]) -> tuple[PricedCounts, ...]:
        """Return the counts of a price version, apart by the thresholds of input that it has."""
        band = _band(thresholds).label("band")
        columns = (
            func.count().label("requests"),
            func.sum(case((_EVENT.failure_id == NO_NAME, 1), else_=0)).label("successes"),
            func.sum(_EVENT.partial).label("incomplete"),
            func.sum(_EVENT.pico_usd).label("pico_usd"),
            *(func.sum(_EVENT[name]).label(name) for name in (*BUCKETS, "total")),
            func.coalesce(func.sum(_EVENT.searches), 0).label("searches"),
            *(func.max(_EVENT.hidden.op("&")(part.value)).label(part.name) for part in Part),
        )
        query = select(band, *columns).where(*self._conditions, _EVENT.price_version == number).group_by(band)
        return tuple(
            PricedCounts(
                **{name: int(getattr(row, name)) for name in _PRICED},
                buckets={name: int(getattr(row, name)) for name in BUCKETS},
                hidden=Part(sum(getattr(row, str(part.name)) for part in Part)),
            )
            for row in self._transaction.execute(query.order_by(band))
        )

    def unpriced(self, limit: int) -> tuple[UnpricedCounts, ...]:
        """Return the counts of events without a cost, the most frequent first."""
        named = [_EVENT[COLUMNS[kind]] for kind in _UNKNOWN_KINDS]
        groups = (*named, _EVENT.quality, case((_EVENT.total == 0, 0), else_=1))
        requests = func.count().label("requests")
        sums = (func.sum(_EVENT.total).label("total"), func.max(_EVENT.at).label("last_at"))
        query = select(*named, _EVENT.quality, requests, *sums).where(*self._conditions, _EVENT.pico_usd.is_(None))
        rows = self._transaction.execute(query.group_by(*groups).order_by(requests.desc()).limit(limit)).all()
        shown = texts(self._transaction, {row[place] for row in rows for place in range(len(named))})
        return tuple(
            UnpricedCounts(
                shown[row.provider_id],
                shown[row.model_id],
                shown[row.alias_id],
                shown[row.tier_id],
                QUALITIES[row.quality],
                int(row.requests),
                int(row.total),
                int(row.last_at),
            )
            for row in rows
        )


def _band(thresholds: Sequence[int]) -> Any:
    """Return the place of the highest threshold that the input is above, 0 for none."""
    if not thresholds:
        return literal(0)
    # A count that is 0 may be stored as nothing, and a sum with nothing in it is nothing.
    first, *others = (func.coalesce(_EVENT[name], 0) for name in _INPUTS)
    entered: Any = sum(others, start=first)
    return case(*((entered > above, place) for place, above in reversed(tuple(enumerate(thresholds, 1)))), else_=0)


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


def put(transaction: Transaction, pool_id: int, rerating: RerateJob) -> None:
    """Store a re-rating in place of the one before."""
    transaction.execute(delete(USAGE_RERATINGS).where(_ROW.pool_id == pool_id))
    effect = rerating.effect
    values = {
        "start_at": rerating.period.start,
        "end_at": rerating.period.end,
        "position_at": rerating.position[0],
        "position_seq": rerating.position[1],
        "examined": effect.examined,
        "changed": effect.changed,
        "sums": json.dumps([astuple(effect.before), astuple(effect.after)]),
        "actor": rerating.actor,
        "started_at": rerating.started_at,
        "finished_at": rerating.finished_at,
    }
    transaction.execute(insert(USAGE_RERATINGS).values(pool_id=pool_id, **values))


def advanced(rerating: RerateJob, batch: Sequence[RatedEvent], effect: Preview) -> RerateJob:
    """Return a re-rating after a batch."""
    last = batch[-1]
    return replace(rerating, position=(last.event.at, last.id), effect=rerating.effect + effect)


def rated(
    transaction: Transaction, pool_id: int, period: Period, position: tuple[int, int], limit: int
) -> tuple[RatedEvent, ...]:
    """Return stored events of a period after a position, the oldest first."""
    conditions = NamedFilter(transaction, pool_id, UsageFilter()).conditions(period)
    query = select(USAGE_EVENTS).where(*conditions, tuple_(_EVENT.at, _EVENT.seq) > tuple_(*position))
    return tuple(
        RatedEvent(row.seq, row.event, row.pico_usd, row.partial, row.price_version)
        for row in events.read(transaction, query.order_by(_EVENT.at, _EVENT.seq).limit(limit))
    )


def rerate(transaction: Transaction, pool_id: int, changes: Sequence[RatingChange]) -> None:
    """Store new costs, and carry the differences into every sum that holds the events."""
    if not changes:
        return
    terms = {change.cost.price_version: change.cost.terms for change in changes if change.cost is not None}
    price_ids = remember_prices(transaction, terms)
    new = {change.event.id: _values(change, price_ids) for change in changes}
    sums: dict[tuple[int, int, int], list[int]] = {}
    rows: list[Mapping[Any, Any]] = []
    for chunk in chunks(sorted(new)):
        rows += transaction.execute(select(USAGE_EVENTS).where(_EVENT.seq.in_(chunk))).mappings().all()
    for row in rows:
        before, after = _cost_numbers(row), _cost_numbers(new[row["seq"]])
        for key in hour_keys(row):
            numbers = sums.setdefault(key, [0] * len(after))
            sums[key] = [sum(change) for change in zip(numbers, after, (-number for number in before), strict=True)]
    changed = update(USAGE_EVENTS).where(_EVENT.seq == bindparam("changed_seq"))
    names = ("pico_usd", "price_version", "partial")
    transaction.execute(
        changed.values({name: bindparam(f"new_{name}") for name in names}),
        [{"changed_seq": row["seq"], **{f"new_{name}": new[row["seq"]][name] for name in names}} for row in rows],
    )
    add_to_hours(transaction, pool_id, {key: (*_NOTHING, *numbers) for key, numbers in sums.items() if any(numbers)})


def _values(change: RatingChange, price_ids: dict[str, int]) -> dict[str, int | None]:
    cost = change.cost
    if cost is None:
        return {"pico_usd": None, "price_version": None, "partial": 0}
    return {"pico_usd": cost.pico_usd, "price_version": price_ids[cost.price_version], "partial": int(cost.partial)}


def _cost_numbers(row: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return what a cost adds to its hours, as the last numbers of `HOUR_NUMBERS`."""
    return row["pico_usd"] or 0, int(row["pico_usd"] is not None), row["partial"] or 0
