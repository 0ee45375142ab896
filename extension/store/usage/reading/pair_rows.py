"""Statements that read sums of a pair of dimensions over days, or over one end of each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, cast, func, literal, select

from extension.store.schema.usage_day_tables import PAIR_NUMBERS, USAGE_DAY_ENDS, USAGE_DAY_PAIRS
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.dimensions import NO_NAME, NameKind
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import DETAILS, within

_ROW: Final = USAGE_DAY_PAIRS.c
_END: Final = USAGE_DAY_ENDS.c
_MONEY: Final = "pico_usd"


def pair_sums(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that sums up the pairs of some days by the names asked for."""
    return _grouped(query, _reading(query, pair, days, *_figures(query, _ROW)))


def pair_day_sums(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that sums up the pairs of each day by the names asked for."""
    return _grouped(query, _reading(query, pair, days, _ROW.day, *_figures(query, _ROW)), _ROW.day)


def pair_counts(query: Query, pair: DimensionPair, days: Sequence[range], count: str) -> Any:
    """Return a statement that sums up one number."""
    return _grouped(query, _reading(query, pair, days, _summed(_ROW[count])))


def pair_latencies(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that reads the histograms of pairs."""
    return _reading(query, pair, days, _ROW.latencies)


def pair_day_latencies(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that reads the histograms of pairs with their days."""
    return _reading(query, pair, days, _ROW.day, _ROW.latencies)


def end_sums(query: Query, end: DayEnd, days: Sequence[range]) -> Any:
    """Return a statement that sums up an end of each day by the names asked for."""
    return _grouped(query, _of_end(query, end, days, _END.day, *_figures(query, _END)), _END.day)


def end_latencies(query: Query, end: DayEnd, days: Sequence[range]) -> Any:
    """Return a statement that reads the histograms of an end of each day."""
    return _of_end(query, end, days, _END.day, _END.latencies)


def counted_buckets(texts: Iterable[str]) -> Counter[int]:
    """Sum up histograms as they are stored."""
    found: Counter[int] = Counter()
    for text in texts:
        for entry in text.split(","):
            bucket, requests = entry.split(" ")
            found[int(bucket)] += int(requests)
    return found


def _figures(query: Query, columns: Any) -> tuple[Any, ...]:
    names = (name for name in PAIR_NUMBERS if query.buckets or name not in DETAILS)
    return tuple(_summed(columns[name]) for name in ("requests", *names))


def _summed(column: Any) -> Any:
    summed = func.coalesce(func.sum(column), 0)
    return (summed if column.name == _MONEY else cast(summed, BigInteger)).label(column.name)


def _reading(query: Query, pair: DimensionPair, days: Sequence[range], *chosen: Any, source: Any = _ROW) -> Any:
    columns = {pair.first: source.first_id, pair.second: source.second_id}
    name = literal(NO_NAME) if query.by is NameKind.TOTAL else columns[query.by]
    conditions = [source.pool_id == query.pool_id, source.pair == pair.number, within(source.day, days)]
    conditions += query.filter.named(columns)
    if query.by is NameKind.FAILURE:
        conditions.append(name != NO_NAME)
    if query.names is not None:
        conditions.append(name.in_(query.names))
    return select(name.label("name_id"), *chosen).where(*conditions)


def _of_end(query: Query, end: DayEnd, days: Sequence[range], *chosen: Any) -> Any:
    return _reading(query, end.pair, days, *chosen, source=_END).where(_END.minutes == end.minutes)


def _grouped(query: Query, reading: Any, *more: Any) -> Any:
    return reading.group_by(*(() if query.by is NameKind.TOTAL else ("name_id",)), *more)
