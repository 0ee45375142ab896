"""Series of usage for charts, and the accounts that fail most."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from extension.engine.pool.listing import PoolListing
from extension.engine.usage.wanted_ends import WantedEnds
from extension.store.database.database import Database, Transaction
from extension.store.usage import account_labels, collectors, gaps
from extension.store.usage.charts import failures
from extension.store.usage.charts.event_parts import event_parts
from extension.store.usage.charts.series import part_sums
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.daily.past_sums import PastSums
from extension.store.usage.dimensions import NO_NAME, NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import texts
from extension.store.usage.reading.extent import extent
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.ranking import ranking
from extension.store.usage.records import Figures, GapRecord, UsageFilter
from extension.store.usage.summary import hourly_requests, sums
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.series_parts import BELOW_AN_HOUR, PartLength, series_parts

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

    def __init__(self, database: Database, listing: PoolListing, ends: WantedEnds) -> None:
        self._database = database
        self._listing = listing
        self._ends = ends
        self._past = PastSums()

    async def series(self, request: SeriesRequest) -> UsageSeries:
        """Return series, all of one state of the database."""
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[UsageSeries, Collection[DayEnd]]:
            named = NamedFilter(transaction, pool_id, request.filter, self._past)
            return _series(transaction, pool_id, request, named), named.stored.wanted

        series, ends = await self._database.read(read)
        await self._ends.note(ends)
        return series

    async def failing(self, wanted: UsageFilter, period: Period, limit: int) -> tuple[FailingAccount, ...]:
        """Return the accounts with the most failures."""
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[FailingAccount, ...]:
            return _failing(transaction, NamedFilter(transaction, pool_id, wanted, self._past), pool_id, period, limit)

        return await self._database.read(read)


def _series(transaction: Transaction, pool_id: int, request: SeriesRequest, named: NamedFilter) -> UsageSeries:
    period = _charted(transaction, pool_id, request.period)
    total = Query(pool_id, named, NameKind.TOTAL, buckets=False)
    cut = series_parts(period, request.points, request.zone, _least(transaction, total, period))
    by = Query(pool_id, named, request.by, latencies=False, buckets=False)
    ranked = () if request.by is NameKind.TOTAL else ranking(transaction, by, period)
    names = ranked[: request.limit]
    by = replace(by, names=names)
    if names and cut.length in BELOW_AN_HOUR:
        totals, found = event_parts(transaction, total, by, cut.parts)
    else:
        totals = part_sums(transaction, total, cut.parts)
        found = part_sums(transaction, by, cut.parts) if names else []
    state = collectors.state(transaction, pool_id)
    return UsageSeries(
        cut.length,
        period.end,
        cut.parts,
        tuple(found.get(NO_NAME, Figures()) for found in totals),
        _groups(transaction, by, found, names),
        len(ranked) - len(names),
        gaps.touching(transaction, pool_id, request.period.start, request.period.end, _MOST_GAPS),
        0 if state is None else state.pruned_before,
    )


def _least(transaction: Transaction, total: Query, period: Period) -> PartLength:
    """Return the least length of parts: hours where shorter ones would read very many events."""
    if period.end - period.start > _BUSY_DAYS * 24 * HOUR_MS or total.filter.rollup(total.by) is None:
        return PartLength.MINUTE
    requests = sum(hourly_requests(transaction, total, period).values())
    return PartLength.MINUTE if requests <= _MOST_EVENTS else PartLength.HOUR


def _charted(transaction: Transaction, pool_id: int, period: Period) -> Period:
    """Return the period of a chart: the hours with requests where "everything" was asked for, as since 1970."""
    return period.within(extent(transaction, pool_id)) if period.end - period.start > _LONGEST_MS else period


def _groups(
    transaction: Transaction, by: Query, found: Sequence[Mapping[int, Figures]], names: Sequence[int]
) -> tuple[GroupSeries, ...]:
    shown = texts(transaction, names)
    labels = account_labels.labels(transaction, by.pool_id) if by.by is NameKind.ACCOUNT else {}
    return tuple(
        GroupSeries(shown[name], labels.get(shown[name], ""), tuple(part.get(name, Figures()) for part in found))
        for name in names
    )


def _failing(
    transaction: Transaction, named: NamedFilter, pool_id: int, period: Period, limit: int
) -> tuple[FailingAccount, ...]:
    query = Query(pool_id, named, NameKind.ACCOUNT, latencies=False, buckets=False)
    ranked = ranking(transaction, query, period, "failed")[:limit]
    if not ranked:
        return ()
    found = sums(replace(query, names=ranked), period)
    reasons = failures.reasons(transaction, named, period, ranked, _REASONS)
    shown = texts(transaction, ranked)
    labels = account_labels.labels(transaction, pool_id)
    return tuple(
        FailingAccount(
            shown[name],
            labels.get(shown[name], ""),
            found[name].requests,
            found[name].failed,
            reasons.get(name, ()),
        )
        for name in ranked
    )
