"""Analysis of stored usage: sums, series, single events, and gaps of the collector."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Final

from extension.engine.pool.listing import PoolListing
from extension.engine.usage.usage_writer import StoredCount, UsageWriter
from extension.store import prices
from extension.store.database.database import Database, Transaction
from extension.store.usage import collection, events
from extension.store.usage.filtering import NamedFilter, Query
from extension.store.usage.names import NO_NAME, NameKind, account_labels, texts
from extension.store.usage.records import DeadLetter, Figures, GapRecord, StoredEvent, UsageFilter
from extension.store.usage.sums import extent, hourly_requests, part_sums, ranking, sums
from extension.usage.calendar import HOUR_MS, Period, SeriesStep, local, periods
from extension.usage.event import UsageEvent

MOST_GAPS: Final = 200
_WEEK: Final = 7
_DAY_HOURS: Final = 24


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """Sums wanted."""

    period: Period
    zone: tzinfo
    by: NameKind
    step: SeriesStep
    filter: UsageFilter
    limit: int


@dataclass(frozen=True, slots=True)
class UsageGroup:
    """Figures of one name of the dimension asked for.

    `label` is how an account is shown, or the alias of a client key; "" where nothing is known.
    """

    name: str
    label: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class SeriesPart:
    """Figures of one period of a series; `groups` by name are those of the summary's groups alone."""

    period: Period
    figures: Figures
    groups: Mapping[str, Figures]


@dataclass(frozen=True, slots=True)
class Summary:
    """Sums over a period. `heat` counts requests by the reader's weekday (0 is Monday) and hour."""

    totals: Figures
    groups: tuple[UsageGroup, ...]
    left_off: int
    series: tuple[SeriesPart, ...]
    heat: tuple[tuple[int, ...], ...]
    gaps: tuple[GapRecord, ...]
    pruned_before: int


class UsageAnalysis:
    """Reader of one pool's usage; it also takes in events from elsewhere."""

    def __init__(self, database: Database, listing: PoolListing, writer: UsageWriter) -> None:
        self._database = database
        self._listing = listing
        self._writer = writer
        self._closed = False
        self._grown = asyncio.Event()
        self._forget = database.on_commit(self._wake)

    async def summary(self, request: SummaryRequest) -> Summary:
        """Return sums, groups, series, heat map and gaps, all of one state of the database."""
        return await self._database.read(_summary, self._listing.pool_id, request)

    async def page(
        self, usage_filter: UsageFilter, period: Period, before: tuple[int, int] | None, limit: int
    ) -> tuple[StoredEvent, ...]:
        """Return events of a period, newest first, after the last one of the page before."""
        return await self._database.read(
            events.page, self._listing.pool_id, usage_filter, period, before=before, limit=limit
        )

    async def after(self, seq: int, usage_filter: UsageFilter, limit: int) -> tuple[tuple[StoredEvent, ...], int]:
        """Return events stored after a number, oldest first, and the number to go on from."""
        return await self._database.read(events.after, self._listing.pool_id, seq, usage_filter, limit)

    async def wait(self, seq: int) -> bool:
        """Wait until there is an event beyond a number; false when the service closes instead."""
        while not self._closed:
            # Taken before looking: a commit between the look and the wait sets this very event.
            grown = self._grown
            if await self._database.read(events.newest) > seq:
                return True
            await grown.wait()
        return False

    async def gaps(self, period: Period) -> tuple[GapRecord, ...]:
        """Return the newest gaps that touch a period, oldest first."""
        return await self._database.read(
            collection.gaps_touching, self._listing.pool_id, period.start, period.end, MOST_GAPS
        )

    async def dead_letters(self, limit: int) -> tuple[DeadLetter, ...]:
        """Return the newest records that were no events."""
        return await self._database.read(collection.recent_letters, self._listing.pool_id, limit)

    async def add(self, exported: Sequence[UsageEvent]) -> StoredCount:
        """Store events of an export; those that are there already are left as they are."""
        return await self._writer.add(exported)

    def close(self) -> None:
        """Release all waiting readers."""
        self._closed = True
        self._forget()
        self._wake()

    def _wake(self) -> None:
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()


def _summary(transaction: Transaction, pool_id: int, request: SummaryRequest) -> Summary:
    named = NamedFilter(transaction, pool_id, request.filter)
    total = Query(pool_id, named, NameKind.TOTAL)
    # "Everything" is asked for as the time since 1970: only the hours with requests are looked at.
    stored = request.period.within(extent(transaction, pool_id))
    whole, groups, left_off = _sums(transaction, total, replace(total, by=request.by), stored, request.limit)
    state = collection.state(transaction, pool_id)
    return Summary(
        totals=whole,
        groups=tuple(groups.values()),
        left_off=left_off,
        series=_series(transaction, total, request, groups),
        heat=_heat(hourly_requests(transaction, total, stored), request.zone),
        gaps=collection.gaps_touching(transaction, pool_id, request.period.start, request.period.end, MOST_GAPS),
        pruned_before=0 if state is None else state.pruned_before,
    )


def _sums(
    transaction: Transaction, total: Query, by: Query, period: Period, limit: int
) -> tuple[Figures, dict[int, UsageGroup], int]:
    """Return the sums of all, the largest groups with the largest first, and how many are left off."""
    by_events = by.rollup is None and by.by not in {NameKind.TOTAL, NameKind.FAILURE}
    if by_events:
        # Events are read as few times as possible: the sums of all groups rank them, and make up the sums of all.
        figures = sums(transaction, by, period)
        ranked = tuple(sorted(figures, key=lambda name_id: (-figures[name_id].requests, name_id)))
        ids = ranked[:limit]
    else:
        ranked = () if by.by is NameKind.TOTAL else ranking(transaction, by, period)
        ids = ranked[:limit]
        figures = sums(transaction, replace(by, names=ids), period) if ids else {}
    if by_events and total.rollup is None:
        whole = Figures()
        for group in figures.values():
            whole.add(group)
    else:
        whole = sums(transaction, total, period).get(NO_NAME, Figures())
    names = texts(transaction, ids)
    labels = _labels(transaction, by.pool_id, by.by)
    groups = {name_id: UsageGroup(names[name_id], labels.get(names[name_id], ""), figures[name_id]) for name_id in ids}
    return whole, groups, len(ranked) - len(ids)


def _labels(transaction: Transaction, pool_id: int, by: NameKind) -> Mapping[str, str]:
    if by is NameKind.CLIENT:
        return {alias.fingerprint: alias.alias for alias in prices.all_aliases(transaction)}
    return account_labels(transaction, pool_id) if by is NameKind.ACCOUNT else {}


def _series(
    transaction: Transaction, total: Query, request: SummaryRequest, groups: Mapping[int, UsageGroup]
) -> tuple[SeriesPart, ...]:
    if request.step is SeriesStep.NONE:
        return ()
    parts = tuple(periods(request.period, request.step, request.zone))
    query = replace(total, latencies=False)
    totals = part_sums(transaction, query, parts)
    by_name: Sequence[Mapping[int, Figures]] = [{}] * len(parts)
    if groups:
        by_name = part_sums(transaction, replace(query, by=request.by, names=tuple(groups)), parts)
    return tuple(
        SeriesPart(part, whole.get(NO_NAME, Figures()), {groups[key].name: figures for key, figures in named.items()})
        for part, whole, named in zip(parts, totals, by_name, strict=True)
    )


def _heat(requests: Mapping[int, int], zone: tzinfo) -> tuple[tuple[int, ...], ...]:
    """Count by weekday and hour; a UTC hour counts where it begins on the reader's clock."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    for hour, count in requests.items():
        at = local(hour * HOUR_MS, zone)
        counts[at.weekday(), at.hour] += count
    return tuple(tuple(counts[day, hour] for hour in range(_DAY_HOURS)) for day in range(_WEEK))
