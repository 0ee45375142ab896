"""Sums over parts of time: whole hours from hourly sums where they serve the filter, the rest from events.

Theory of operation: a part is divided into whole UTC hours and the edges beside them. One statement reads the hours of
all parts, another the edges: the parts stand in the statement as rows of numbers, and the database looks each of them
up in the index of hours or times. Where hours do not serve (filters by two names), every part is one edge. A zone half
an hour off has an edge at each midnight.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal

from sqlalchemy import BigInteger, Integer, Row, Select, Table, case, cast, func, literal_column, select, text, true

from extension.store.database.database import Transaction
from extension.store.schema.usage_tables import HOUR_NUMBERS, USAGE_EVENTS, USAGE_HOURS, USAGE_LATENCIES
from extension.store.usage.filtering import FAILED, NamedFilter, Query, Rollup
from extension.store.usage.names import COLUMNS, NO_NAME, QUALITIES, NameKind, texts
from extension.store.usage.records import Figures
from extension.usage.calendar import HOUR_MS, Period
from extension.usage.event import BUCKETS, TokenQuality
from extension.usage.histogram import bounds

Count = Literal["requests", "failed"]
_Span = tuple[int, int, int]  # place of a part, and the first and the last but one number of time in it
_Read = Callable[[Query, Sequence[_Span]], Iterator[Select[Any]]]
_PartFigures = list[dict[int, Figures]]
_EVENT: Final = USAGE_EVENTS.c
_HOUR: Final = USAGE_HOURS.c
_MONEY: Final = "pico_usd"
_DETAILS: Final = frozenset({*BUCKETS, "unclassified", "inconsistent"})  # numbers that are shown in tables alone


def sums(transaction: Transaction, query: Query, period: Period) -> dict[int, Figures]:
    """Return the figures of a period by the id of a name; of all requests under 0 where `by` is the total."""
    return part_sums(transaction, query, (period,))[0]


def part_sums(transaction: Transaction, query: Query, parts: Sequence[Period]) -> _PartFigures:
    """Return the figures of each part by the id of a name."""
    figures: _PartFigures = [{} for _ in parts]
    hours, edges = _divided(query, parts)
    for row in _rows(transaction, query, (_hour_sums, hours), (_event_sums, edges)):
        if row.requests:  # a sum over nothing is one row of nulls
            part, counts = figures[row.part], _figures(row)
            if row.name_id in part:
                counts.add(part[row.name_id])
            part[row.name_id] = counts
    if query.latencies:
        for place, name_id, bucket, requests in _rows(
            transaction, query, (_hour_latencies, hours), (_event_latencies, edges)
        ):
            latencies = figures[place][name_id].latencies
            latencies[bucket] = latencies.get(bucket, 0) + int(requests)
    return figures


def ranking(transaction: Transaction, query: Query, period: Period, count: Count = "requests") -> tuple[int, ...]:
    """Return the ids of the names with requests in a period, the largest count first, equal ones by their ids.

    Names without failures are left out of a ranking by failures. A table or chart shows some of thousands of accounts:
    their order needs one number of each, and the sums are then read of those shown.
    """
    counts: Counter[int] = Counter()
    hours, edges = _divided(query, (period,))
    for statement in (*_hour_counts(query, hours, count), *_event_counts(query, edges, count)):
        for name_id, number in transaction.execute(statement):
            counts[name_id] += int(number)
    return tuple(
        sorted((name_id for name_id in counts if counts[name_id]), key=lambda name_id: (-counts[name_id], name_id))
    )


def hourly_requests(transaction: Transaction, query: Query, period: Period) -> dict[int, int]:
    """Return the number of all requests of a period by UTC hour; an hour it has a part of counts that part."""
    counting = query.filter.counting_rollup()
    requests: dict[int, int] = {}
    if counting is not None and period.hours:
        (kind, name_id), failed = counting
        counted = {None: _HOUR.requests, True: _HOUR.failed, False: _HOUR.requests - _HOUR.failed}[failed]
        stored = select(_HOUR.hour, counted).where(
            *_hour_conditions(USAGE_HOURS, query, (kind, NO_NAME if name_id is None else name_id)),
            _HOUR.hour >= period.hours.start,
            _HOUR.hour < period.hours.stop,
        )
        requests |= {int(hour): int(number) for hour, number in transaction.execute(stored)}
    hour = (_EVENT.at // HOUR_MS).label("hour")
    for edge in (period,) if counting is None else period.edges:
        counts = select(hour, func.count()).where(*query.filter.conditions(edge)).group_by(hour)
        requests |= {int(number): int(count) for number, count in transaction.execute(counts)}
    return requests


def failure_reasons(
    transaction: Transaction, named: NamedFilter, period: Period, accounts: Sequence[int], most: int
) -> dict[int, tuple[tuple[str, int, int], ...]]:
    """Return the reasons of accounts' failures (text, count, time of the last), the most frequent first."""
    requests, account_id, failure_id = func.count().label("requests"), _EVENT.account_id, _EVENT.failure_id
    query = (
        select(account_id, failure_id, requests, func.max(_EVENT.at).label("last_at"))
        .where(*named.conditions(period), FAILED, account_id.in_(accounts))
        .group_by(account_id, failure_id)
        .order_by(requests.desc(), failure_id)
    )
    rows = transaction.execute(query).all()
    failures = texts(transaction, {row.failure_id for row in rows})
    reasons: dict[int, list[tuple[str, int, int]]] = defaultdict(list)
    for row in rows:
        if len(reasons[row.account_id]) < most:
            reasons[row.account_id].append((failures[row.failure_id], int(row.requests), int(row.last_at)))
    return {account: tuple(account_reasons) for account, account_reasons in reasons.items()}


def extent(transaction: Transaction, pool_id: int) -> Period:
    """Return the whole hours around every request of a pool; an empty period where there is none."""
    # One end each, so that both are looked up in the primary key instead of read from every hour.
    first, last = (
        transaction.execute(
            select(end).where(_HOUR.pool_id == pool_id, _HOUR.dimension == NameKind.TOTAL.value)
        ).scalar()
        for end in (func.min(_HOUR.hour), func.max(_HOUR.hour))
    )
    return Period(0, 0) if first is None or last is None else Period(first * HOUR_MS, (last + 1) * HOUR_MS)


def _divided(query: Query, parts: Sequence[Period]) -> tuple[list[_Span], list[_Span]]:
    """Divide parts into whole hours and what is read from events."""
    by_hours = query.rollup is not None
    hours = [(place, part.hours.start, part.hours.stop) for place, part in enumerate(parts) if part.hours and by_hours]
    edges = [
        (place, edge.start, edge.end)
        for place, part in enumerate(parts)
        for edge in (part.edges if by_hours else (part,))
        if edge.start < edge.end
    ]
    return hours, edges


def _rows(transaction: Transaction, query: Query, *reads: tuple[_Read, Sequence[_Span]]) -> Iterator[Any]:
    for statements, spans in reads:
        # A text with the times of one question is never met again; kept, hundreds of them slow the garbage collector.
        options = {"compiled_cache": None} if len(spans) > 1 else {}
        for statement in statements(query, spans):
            yield from transaction.execute(statement, execution_options=options).all()


def _hour_sums(query: Query, spans: Sequence[_Span]) -> Iterator[Select[Any]]:
    numbers = (name for name in HOUR_NUMBERS if query.buckets or name not in _DETAILS)
    return _from_hours(USAGE_HOURS, query, spans, [], [_integer_sum(_HOUR[name]) for name in numbers])


def _hour_latencies(query: Query, spans: Sequence[_Span]) -> Iterator[Select[Any]]:
    row = USAGE_LATENCIES.c
    return _from_hours(USAGE_LATENCIES, query, spans, [row.bucket], [_integer_sum(row.requests)])


def _from_hours(
    table: Table, query: Query, spans: Sequence[_Span], keys: Sequence[Any], numbers: Sequence[Any]
) -> Iterator[Select[Any]]:
    if query.rollup is not None and spans:
        name = None if query.by is NameKind.TOTAL else table.c.name_id
        read = _grouped(table, spans, name, keys, numbers)
        yield read.where(*_hour_conditions(table, query, query.rollup))


def _hour_counts(query: Query, spans: Sequence[_Span], count: Count) -> Iterator[Select[Any]]:
    rollup = query.rollup
    if rollup is None:
        return
    for _, start, end in spans:
        conditions = (*_hour_conditions(USAGE_HOURS, query, rollup), _HOUR.hour >= start, _HOUR.hour < end)
        yield select(_HOUR.name_id, _integer_sum(_HOUR[count])).where(*conditions).group_by(_HOUR.name_id)


def _hour_conditions(table: Table, query: Query, rollup: Rollup) -> list[Any]:
    kind, name_id = rollup
    conditions = [table.c.pool_id == query.pool_id, table.c.dimension == kind.value]
    if name_id is not None or kind is NameKind.TOTAL:
        conditions.append(table.c.name_id == (NO_NAME if name_id is None else name_id))
    if query.names is not None:
        conditions.append(table.c.name_id.in_(query.names))
    return conditions


def _event_sums(query: Query, spans: Sequence[_Span]) -> Iterator[Select[Any]]:
    details = (
        *(_counted(_EVENT.quality == QUALITIES.index(quality), quality) for quality in _DOUBTED),
        *(func.sum(_EVENT[name]).label(name) for name in BUCKETS),
    )
    numbers = (
        func.count().label("requests"),
        _counted(_EVENT.failure_id != NO_NAME, "failed"),
        *(details if query.buckets else ()),
        func.sum(_EVENT.total).label("total"),
        func.coalesce(func.sum(_EVENT.pico_usd), 0).label(_MONEY),
        _counted(_EVENT.pico_usd.is_not(None), "priced"),
        func.sum(_EVENT.partial).label("incomplete"),
    )
    return _from_events(query, spans, [], numbers)


def _event_latencies(query: Query, spans: Sequence[_Span]) -> Iterator[Select[Any]]:
    return _from_events(query, spans, [_LATENCY_BUCKET], [func.count().label("requests")])


def _from_events(
    query: Query, spans: Sequence[_Span], keys: Sequence[Any], numbers: Sequence[Any]
) -> Iterator[Select[Any]]:
    if spans:
        name = None if query.by is NameKind.TOTAL else _EVENT[COLUMNS[query.by]]
        yield _grouped(USAGE_EVENTS, spans, name, keys, numbers).where(*_event_conditions(query))


def _event_counts(query: Query, spans: Sequence[_Span], count: Count) -> Iterator[Select[Any]]:
    name = _EVENT[COLUMNS[query.by]]
    failed = (FAILED,) if count == "failed" else ()
    for _, start, end in spans:
        conditions = (*_event_conditions(query), *failed, _EVENT.at >= start, _EVENT.at < end)
        yield select(name, func.count()).where(*conditions).group_by(name)


def _event_conditions(query: Query) -> list[Any]:
    conditions = [*query.filter.conditions(None)]
    if query.names is not None:
        conditions.append(_EVENT[COLUMNS[query.by]].in_(query.names))
    if query.by is NameKind.FAILURE:
        conditions.append(FAILED)
    return conditions


def _grouped(
    table: Table, spans: Sequence[_Span], name: Any, keys: Sequence[Any], numbers: Sequence[Any]
) -> Select[Any]:
    """Return a statement that sums up rows of a table by part, name (None for all together) and further keys."""
    source: Any = table
    time = table.c.at if table is USAGE_EVENTS else table.c.hour
    if len(spans) == 1:
        ((place, start, end),) = spans
        part: Any = literal_column(str(place), Integer)
        conditions = (time >= start, time < end)
    else:
        # As literals: hundreds of parameters take a driver longer than the hours themselves take the database.
        rows = ",".join(f"({place},{start},{end})" for place, start, end in spans)
        listed = text(f"SELECT column1 AS part, column2 AS start, column3 AS stop FROM (VALUES {rows}) AS rows")  # noqa: S608 - numbers
        span = listed.columns(part=Integer, start=BigInteger, stop=BigInteger).subquery("span")
        part, source = span.c.part, span.join(table, true())
        conditions = (time >= span.c.start, time < span.c.stop)
    groups = (*((part,) if len(spans) > 1 else ()), *(() if name is None else (name,)), *(key.name for key in keys))
    shown = literal_column(str(NO_NAME), Integer) if name is None else name
    read = select(part.label("part"), shown.label("name_id"), *keys, *numbers).select_from(source)
    return read.where(*conditions).group_by(*groups)


def _integer_sum(column: Any) -> Any:
    """Return the sum of a column, as an integer where it fits one.

    PostgreSQL sums up large integers as decimal numbers, which take most of the time to read. Money keeps them: sums of
    picodollars beyond nine million dollars are no integers of 64 bits.
    """
    summed = func.sum(column)
    return (summed if column.name == _MONEY else cast(summed, BigInteger)).label(column.name)


def _counted(condition: Any, name: str) -> Any:
    return func.sum(case((condition, 1), else_=0)).label(name)


def _figures(row: Row[Any]) -> Figures:
    # By place, since a chart has thousands of rows: the numbers stand after part and name in the order of the table.
    requests, failed, *details, total, pico_usd, priced, incomplete = map(int, row[2:])
    figures = Figures(requests, failed, total=total, pico_usd=pico_usd, priced=priced, incomplete=incomplete)
    if details:
        figures.unclassified, figures.inconsistent, *tokens = details
        figures.tokens = dict(zip(BUCKETS, tokens, strict=True))
    return figures


def _halved(buckets: Sequence[tuple[int, int]]) -> str:
    if len(buckets) == 1:
        return str(buckets[0][1])
    middle = len(buckets) // 2
    lower, right = _halved(buckets[:middle]), _halved(buckets[middle:])
    return f"CASE WHEN usage_events.latency_ms <= {buckets[middle - 1][0]} THEN {lower} ELSE {right} END"


_DOUBTED: Final = tuple(quality for quality in QUALITIES if quality is not TokenQuality.COMPLETE)
# No database has our buckets as a function; comparing with the greatest latency of each, halving what is left, takes
# eight comparisons an event.
_LATENCY_BUCKET: Final[Any] = literal_column(_halved(bounds()), Integer).label("bucket")
"""Bucket of an event's latency as an expression of the database."""
