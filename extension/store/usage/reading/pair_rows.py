"""Statements that read daily sums of a pair of dimensions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, cast, func, literal, select

from extension.store.schema.usage_day_tables import PAIR_NUMBERS, USAGE_DAY_PAIRS
from extension.store.usage.daily.dimension_pairs import DimensionPair
from extension.store.usage.dimensions import NO_NAME, NameKind
from extension.store.usage.reading.query import Query
from extension.store.usage.reading.rollup_sums import DETAILS, within

_ROW: Final = USAGE_DAY_PAIRS.c
_MONEY: Final = "pico_usd"


def pair_sums(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that sums up the pairs of some days by the names asked for."""
    return _grouped(query, _reading(query, pair, days, *_figures(query)))


def pair_day_sums(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that sums up the pairs of each day by the names asked for."""
    return _grouped(query, _reading(query, pair, days, _ROW.day, *_figures(query)), _ROW.day)


def pair_counts(query: Query, pair: DimensionPair, days: Sequence[range], count: str) -> Any:
    """Return a statement that sums up one number."""
    return _grouped(query, _reading(query, pair, days, _summed(count)))


def pair_latencies(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that reads the histograms of pairs."""
    return _reading(query, pair, days, _ROW.latencies)


def pair_day_latencies(query: Query, pair: DimensionPair, days: Sequence[range]) -> Any:
    """Return a statement that reads the histograms of pairs with their days."""
    return _reading(query, pair, days, _ROW.day, _ROW.latencies)


def counted_buckets(texts: Iterable[str]) -> Counter[int]:
    """Sum up histograms as they are stored."""
    found: Counter[int] = Counter()
    for text in texts:
        for entry in text.split(","):
            bucket, requests = entry.split(" ")
            found[int(bucket)] += int(requests)
    return found


def _figures(query: Query) -> tuple[Any, ...]:
    names = (name for name in PAIR_NUMBERS if query.buckets or name not in DETAILS)
    return tuple(_summed(name) for name in ("requests", *names))


def _summed(name: str) -> Any:
    summed = func.coalesce(func.sum(_ROW[name]), 0)
    return (summed if name == _MONEY else cast(summed, BigInteger)).label(name)


def _reading(query: Query, pair: DimensionPair, days: Sequence[range], *chosen: Any) -> Any:
    columns = {pair.first: _ROW.first_id, pair.second: _ROW.second_id}
    name = literal(NO_NAME) if query.by is NameKind.TOTAL else columns[query.by]
    conditions = [_ROW.pool_id == query.pool_id, _ROW.pair == pair.number, within(_ROW.day, days)]
    conditions += query.filter.named(columns)
    if query.by is NameKind.FAILURE:
        conditions.append(name != NO_NAME)
    if query.names is not None:
        conditions.append(name.in_(query.names))
    return select(name.label("name_id"), *chosen).where(*conditions)


def _grouped(query: Query, reading: Any, *more: Any) -> Any:
    return reading.group_by(*(() if query.by is NameKind.TOTAL else ("name_id",)), *more)
