"""Analysis of stored usage: sums, series, single events, and what the collector could not have."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Final

from extension.engine.pool.listing import PoolListing
from extension.engine.usage.usage_writer import StoredCount, UsageWriter
from extension.engine.usage.wanted_ends import WantedEnds
from extension.store.database.database import Database, Transaction
from extension.store.prices import aliases
from extension.store.usage import account_labels, collectors, dead_letters, events, gaps, summary
from extension.store.usage.charts.series import part_sums
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.daily.past_sums import PastSums
from extension.store.usage.dimensions import NO_NAME, NameKind
from extension.store.usage.filtering import NamedFilter
from extension.store.usage.names import texts
from extension.store.usage.reading.extent import extent_in_days
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.ranking import ranking
from extension.store.usage.records import DeadLetter, Figures, GapRecord, StoredEvent, UsageFilter
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

    def __init__(self, database: Database, listing: PoolListing, writer: UsageWriter, ends: WantedEnds) -> None:
        self._database = database
        self._listing = listing
        self._writer = writer
        self._ends = ends
        self._past = PastSums()
        self._closed = False
        self._grown = asyncio.Event()
        database.on_commit(self._wake)

    async def summary(self, request: SummaryRequest) -> Summary:
        """Return sums, groups, series, heat map and gaps, all of one state of the database."""
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[Summary, Collection[DayEnd]]:
            named = NamedFilter(transaction, pool_id, request.filter, self._past)
            return _summary(transaction, pool_id, request, named), named.stored.wanted

        found, ends = await self._database.read(read)
        await self._ends.note(ends)
        return found

    async def page(
        self, wanted: UsageFilter, period: Period, before: tuple[int, int] | None, limit: int
    ) -> tuple[StoredEvent, ...]:
        """Return events of a period, newest first, after the last one of the page before."""
        pool_id = self._listing.pool_id
        return await self._database.read(
            lambda transaction: events.page(transaction, pool_id, wanted, period, before=before, limit=limit)
        )

    async def after(self, seq: int, wanted: UsageFilter, limit: int) -> tuple[tuple[StoredEvent, ...], int]:
        """Return events stored after a number, oldest first, and the number to go on from."""
        pool_id = self._listing.pool_id
        return await self._database.read(lambda transaction: events.after(transaction, pool_id, seq, wanted, limit))

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
        pool_id = self._listing.pool_id
        return await self._database.read(
            lambda transaction: gaps.touching(transaction, pool_id, period.start, period.end, MOST_GAPS)
        )

    async def dead_letters(self, limit: int) -> tuple[DeadLetter, ...]:
        """Return the newest records that were no events."""
        pool_id = self._listing.pool_id
        return await self._database.read(lambda transaction: dead_letters.recent(transaction, pool_id, limit))

    async def add(self, found: Sequence[UsageEvent]) -> StoredCount:
        """Store events of an export; those that are there already are left as they are."""
        return await self._writer.add(found)

    def close(self) -> None:
        """Release all waiting readers."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()


def _summary(transaction: Transaction, pool_id: int, request: SummaryRequest, named: NamedFilter) -> Summary:
    total = Query(pool_id, named, NameKind.TOTAL)
    # "Everything" is asked for as the time since 1970: only the days with requests are looked at.
    stored = request.period.within(extent_in_days(transaction, pool_id))
    by = Query(pool_id, named, request.by)
    whole, chosen, left_off = _sums(transaction, total, by, replace(request, period=stored))
    state = collectors.state(transaction, pool_id)
    return Summary(
        totals=whole,
        groups=tuple(chosen.values()),
        left_off=left_off,
        series=_series(transaction, total, request, chosen),
        heat=_heat(summary.hourly_requests(transaction, total, stored), request.zone),
        gaps=gaps.touching(transaction, pool_id, request.period.start, request.period.end, MOST_GAPS),
        pruned_before=0 if state is None else state.pruned_before,
    )


def _sums(
    transaction: Transaction, total: Query, by: Query, request: SummaryRequest
) -> tuple[Figures, dict[int, UsageGroup], int]:
    """Return the sums of all, the largest groups with the largest first, and how many are left off."""
    if by.filter.rollup(by.by) is None and by.by not in {NameKind.TOTAL, NameKind.FAILURE}:
        # Events are read as few times as possible: the sums of all groups rank them.
        every = summary.sums(replace(by, latencies=False), request.period)
        whole = _whole(total, request.period, every.values())
        ranked = tuple(sorted(every, key=lambda each: (-every[each].requests, each)))
        ids = ranked[: request.limit]
        counted = summary.latencies(replace(by, names=ids), request.period) if ids else {}
        found = {each: replace(every[each], latencies=counted[each]) for each in ids}
    else:
        whole = summary.sums(total, request.period).get(NO_NAME, Figures())
        ranked = () if by.by is NameKind.TOTAL else ranking(transaction, by, request.period)
        ids = ranked[: request.limit]
        found = summary.sums(replace(by, names=ids), request.period) if ids else {}
    return whole, _groups(transaction, by, found, ids), len(ranked) - len(ids)


def _whole(total: Query, period: Period, groups: Iterable[Figures]) -> Figures:
    """Return the sums of all requests, those of the groups put together where no rollup holds them."""
    if total.filter.rollup(NameKind.TOTAL) is not None:
        return summary.sums(total, period).get(NO_NAME, Figures())
    whole = Figures(latencies=summary.latencies(total, period).get(NO_NAME, Counter()))
    for figures in groups:
        whole.add(figures)
    return whole


def _groups(
    transaction: Transaction, by: Query, found: Mapping[int, Figures], ids: Sequence[int]
) -> dict[int, UsageGroup]:
    named = texts(transaction, ids)
    labels = _labels(transaction, by.pool_id, by.by)
    return {name_id: UsageGroup(named[name_id], labels.get(named[name_id], ""), found[name_id]) for name_id in ids}


def _labels(transaction: Transaction, pool_id: int, by: NameKind) -> Mapping[str, str]:
    if by is NameKind.CLIENT:
        return {each.fingerprint: each.alias for each in aliases.every(transaction)}
    return account_labels.labels(transaction, pool_id) if by is NameKind.ACCOUNT else {}


def _series(
    transaction: Transaction, total: Query, request: SummaryRequest, groups: Mapping[int, UsageGroup]
) -> tuple[SeriesPart, ...]:
    if request.step is SeriesStep.NONE:
        return ()
    parts = tuple(periods(request.period, request.step, request.zone))
    wanted = replace(total, latencies=False)
    totals = part_sums(transaction, wanted, parts)
    by_name: Sequence[Mapping[int, Figures]] = [{}] * len(parts)
    if groups:
        by_name = part_sums(transaction, replace(wanted, by=request.by, names=tuple(groups)), parts)
    return tuple(
        SeriesPart(part, whole.get(NO_NAME, Figures()), {groups[one].name: figures for one, figures in named.items()})
        for part, whole, named in zip(parts, totals, by_name, strict=True)
    )


def _heat(requests: Mapping[int, int], zone: tzinfo) -> tuple[tuple[int, ...], ...]:
    """Count by weekday and hour; a UTC hour counts where it begins on the reader's clock."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    for hour, count in requests.items():
        at = local(hour * HOUR_MS, zone)
        counts[at.weekday(), at.hour] += count
    return tuple(tuple(counts[day, hour] for hour in range(_DAY_HOURS)) for day in range(_WEEK))
