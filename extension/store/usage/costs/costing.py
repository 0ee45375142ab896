"""Counts that explain costs: events of a filter by price version and volume, and those without a cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import case, func, literal, select

from extension.prices.units import INPUT_UNITS
from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.dimensions import COLUMNS, NO_NAME, QUALITIES, NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import texts
from extension.usage.calendar import Period
from extension.usage.tokens import BUCKETS, TokenQuality

_ROW: Final = USAGE_EVENTS.c
_INPUTS: Final = tuple(unit.value for unit in INPUT_UNITS)
_UNKNOWN_KINDS: Final = (NameKind.PROVIDER, NameKind.MODEL, NameKind.TIER)


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


@dataclass(frozen=True, slots=True)
class UnpricedCounts:
    """Events without a cost of one provider, model, tier and quality; `last_at` is the time of the newest."""

    provider: str
    model: str
    tier: str
    quality: TokenQuality
    requests: int
    total: int
    last_at: int


class Counted:
    """Events of a filter and period, or the one with a number, within one transaction."""

    def __init__(self, transaction: Transaction, wanted: NamedFilter, period: Period | None, seq: int | None) -> None:
        self._transaction = transaction
        self._conditions = (*wanted.conditions(period), *(() if seq is None else (_ROW.seq == seq,)))

    def versions(self) -> list[int]:
        """Return the price versions of the events, the one with the highest cost first."""
        cost = func.sum(_ROW.pico_usd).label("cost")
        query = select(_ROW.price_version, cost).where(*self._conditions, _ROW.price_version.is_not(None))
        ordered = query.group_by(_ROW.price_version).order_by(cost.desc(), _ROW.price_version)
        return [int(row.price_version) for row in self._transaction.execute(ordered)]

    def priced(self, number: int, thresholds: Sequence[int]) -> tuple[PricedCounts, ...]:
        """Return the counts of a price version, apart by the thresholds of input that it has."""
        band = _band(thresholds).label("band")
        columns = (
            func.count().label("requests"),
            func.sum(case((_ROW.failure_id == NO_NAME, 1), else_=0)).label("successes"),
            func.sum(_ROW.partial).label("incomplete"),
            func.sum(_ROW.pico_usd).label("pico_usd"),
            *(func.sum(_ROW[name]).label(name) for name in (*BUCKETS, "total")),
        )
        query = select(band, *columns).where(*self._conditions, _ROW.price_version == number).group_by(band)
        return tuple(
            PricedCounts(
                band=int(row.band),
                requests=int(row.requests),
                successes=int(row.successes),
                incomplete=int(row.incomplete),
                pico_usd=int(row.pico_usd),
                buckets={name: int(getattr(row, name)) for name in BUCKETS},
                total=int(row.total),
            )
            for row in self._transaction.execute(query.order_by(band))
        )

    def unpriced(self, limit: int) -> tuple[UnpricedCounts, ...]:
        """Return the counts of events without a cost, the most frequent first."""
        named = [_ROW[COLUMNS[kind]] for kind in _UNKNOWN_KINDS]
        groups = (*named, _ROW.quality, case((_ROW.total == 0, 0), else_=1))
        requests = func.count().label("requests")
        sums = (func.sum(_ROW.total).label("total"), func.max(_ROW.at).label("last_at"))
        query = select(*named, _ROW.quality, requests, *sums).where(*self._conditions, _ROW.pico_usd.is_(None))
        rows = self._transaction.execute(query.group_by(*groups).order_by(requests.desc()).limit(limit)).all()
        shown = texts(self._transaction, {row[place] for row in rows for place in range(len(named))})
        return tuple(
            UnpricedCounts(
                provider=shown[row.provider_id],
                model=shown[row.model_id],
                tier=shown[row.tier_id],
                quality=QUALITIES[row.quality],
                requests=int(row.requests),
                total=int(row.total),
                last_at=int(row.last_at),
            )
            for row in rows
        )


def _band(thresholds: Sequence[int]) -> Any:
    """Return the place of the highest threshold that the input is above, 0 for none."""
    if not thresholds:
        return literal(0)
    # A count that is 0 may be stored as nothing, and a sum with nothing in it is nothing.
    first, *others = (func.coalesce(_ROW[name], 0) for name in _INPUTS)
    entered: Any = sum(others, start=first)
    return case(*((entered > above, place) for place, above in reversed(tuple(enumerate(thresholds, 1)))), else_=0)
