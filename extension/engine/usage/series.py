"""Series of usage for charts, and the accounts that fail most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from extension.engine.pool.listing import PoolListing
from extension.store.database.database import Database, Transaction
from extension.store.usage import collection
from extension.store.usage.filtering import NamedFilter, Query
from extension.store.usage.names import NO_NAME, NameKind, account_labels, texts
from extension.store.usage.records import Figures, GapRecord, UsageFilter
from extension.store.usage.sums import extent, failure_reasons, hourly_requests, part_sums, ranking, sums
from extension.usage.calendar import HOUR_MS, PartLength, Period, series_parts

_MOST_GAPS = 200
_LONGEST_MS = 10 * 366 * 24 * HOUR_MS
_REASONS = 5
_BUSY_DAYS = 8
"""A longer chart has parts of an hour at least: 400 parts of 15 minutes are four days."""
_MOST_EVENTS = 100_000


@dataclass(frozen=True, slots=True)
class SeriesRequest:
    """Series wanted: of at most `points` parts, of all requests and of the `limit` largest groups."""

    period: Period
    zone: tzinfo
    by: NameKind
    filter: UsageFilter
    points: int
    limit: int


@dataclass(frozen=True, slots=True)
class GroupSeries:
    """Figures of one name, one for each part."""

    name: str
    label: str
    figures: tuple[Figures, ...]


@dataclass(frozen=True, slots=True)
class UsageSeries:
    """Series over the parts of a period, which ends at `end`; only those of all requests have latencies."""

    length: PartLength
    end: int
    parts: tuple[Period, ...]
    totals: tuple[Figures, ...]
    groups: tuple[GroupSeries, ...]
    left_off: int
    gaps: tuple[GapRecord, ...]
    pruned_before: int


@dataclass(frozen=True, slots=True)
class FailingAccount:
    """An account with its failures, and their most frequent reasons with the time of the last."""

    name: str
    label: str
    requests: int
    failed: int
    reasons: tuple[tuple[str, int, int], ...]


class UsageSeriesReader:
    """Reads series of one pool."""

    def __init__(self, database: Database, listing: PoolListing) -> None:
        self._database = database
        self._listing = listing

    async def series(self, request: SeriesRequest) -> UsageSeries:
        """Return series, all of one state of the database."""
        return await self._database.read(_series, self._listing.pool_id, request)

    async def failing(self, usage_filter: UsageFilter, period: Period, limit: int) -> tuple[FailingAccount, ...]:
        """Return the accounts with the most failures."""
        return await self._database.read(_failing, self._listing.pool_id, usage_filter, period, limit)


def _series(transaction: Transaction, pool_id: int, request: SeriesRequest) -> UsageSeries:
    named = NamedFilter(transaction, pool_id, request.filter)
    period = _charted(transaction, pool_id, request.period)
    total = Query(pool_id, named, NameKind.TOTAL, buckets=False)
    cut = series_parts(period, request.points, request.zone, _least(transaction, total, period))
    by = Query(pool_id, named, request.by, latencies=False, buckets=False)
    ranked = () if request.by is NameKind.TOTAL else ranking(transaction, by, period)
    names = ranked[: request.limit]
    by = replace(by, names=names)
    totals = part_sums(transaction, total, cut.parts)
    named_sums = part_sums(transaction, by, cut.parts) if names else []
    state = collection.state(transaction, pool_id)
    return UsageSeries(
        cut.length,
        period.end,
        cut.parts,
        tuple(part.get(NO_NAME, Figures()) for part in totals),
        _groups(transaction, by, named_sums, names),
        len(ranked) - len(names),
        collection.gaps_touching(transaction, pool_id, request.period.start, request.period.end, _MOST_GAPS),
        0 if state is None else state.pruned_before,
    )


def _least(transaction: Transaction, total: Query, period: Period) -> PartLength:
    """Return the least length of parts: hours where shorter ones would read very many events."""
    if period.end - period.start > _BUSY_DAYS * 24 * HOUR_MS or total.rollup is None:
        return PartLength.MINUTE
    requests = sum(hourly_requests(transaction, total, period).values())
    return PartLength.MINUTE if requests <= _MOST_EVENTS else PartLength.HOUR


def _charted(transaction: Transaction, pool_id: int, period: Period) -> Period:
    """Return the period of a chart: the hours with requests where "everything" was asked for, as since 1970."""
    return period.within(extent(transaction, pool_id)) if period.end - period.start > _LONGEST_MS else period


def _groups(
    transaction: Transaction, by: Query, parts: Sequence[Mapping[int, Figures]], name_ids: Sequence[int]
) -> tuple[GroupSeries, ...]:
    names = texts(transaction, name_ids)
    labels = account_labels(transaction, by.pool_id) if by.by is NameKind.ACCOUNT else {}
    return tuple(
        GroupSeries(
            names[name_id], labels.get(names[name_id], ""), tuple(part.get(name_id, Figures()) for part in parts)
        )
        for name_id in name_ids
    )


def _failing(
    transaction: Transaction, pool_id: int, usage_filter: UsageFilter, period: Period, limit: int
) -> tuple[FailingAccount, ...]:
    named = NamedFilter(transaction, pool_id, usage_filter)
    query = Query(pool_id, named, NameKind.ACCOUNT, latencies=False, buckets=False)
    ranked = ranking(transaction, query, period, "failed")[:limit]
    if not ranked:
        return ()
    figures = sums(transaction, replace(query, names=ranked), period)
    reasons = failure_reasons(transaction, named, period, ranked, _REASONS)
    names, labels = texts(transaction, ranked), account_labels(transaction, pool_id)
    return tuple(
        FailingAccount(
            names[name_id],
            labels.get(names[name_id], ""),
            figures[name_id].requests,
            figures[name_id].failed,
            reasons.get(name_id, ()),
        )
        for name_id in ranked
    )
