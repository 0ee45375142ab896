"""Making of the daily sums of a pair of dimensions from the events of a day.

Theory of operation: a day's pairs carry the stamp of the day's own sums. A write to an hour of the day deletes that
stamp, and the day then gets another one, so pairs with an old stamp are no longer read. A day whose events are not all
there (the retention removed some) is looked at once for each stamp and left to its events, as is a pair with nearly as
many rows as events.
"""

from typing import Any, Final

from sqlalchemy import and_, delete, func, insert, select

from extension.store.database.database import Transaction
from extension.store.schema.usage_day_tables import (
    USAGE_DAY_PAIRS,
    USAGE_DAYS,
    USAGE_PAIRED_DAYS,
    USAGE_SUMMED_DAYS,
)
from extension.store.schema.usage_tables import USAGE_EVENTS
from extension.store.usage.daily.dimension_pairs import PAIRS, DimensionPair
from extension.store.usage.dimensions import NameKind
from extension.store.usage.pairs.event_sums import sum_events
from extension.usage.calendar import HOUR_MS
from extension.usage.spans import DAY_HOURS

_DAY_MS: Final = DAY_HOURS * HOUR_MS
FEWEST_ROWS: Final = 2_000
"""Rows of all pairs of a day that are always stored."""
_EVENTS_A_ROW: Final = 3
"""Events for each row of pairs on a day with more."""
_EVENT: Final = USAGE_EVENTS.c
_MARK: Final = USAGE_PAIRED_DAYS.c
_ROW: Final = USAGE_DAY_PAIRS.c
_SUMMED: Final = USAGE_SUMMED_DAYS.c


def unpaired(transaction: Transaction, pool_id: int) -> list[int]:
    """Return the summed days, since the oldest event, whose pairs were not yet looked at, the newest first."""
    oldest = transaction.execute(select(func.min(_EVENT.at)).where(_EVENT.pool_id == pool_id)).scalar()
    if oldest is None:
        return []
    looked_at = and_(_MARK.pool_id == _SUMMED.pool_id, _MARK.day == _SUMMED.day, _MARK.stamp == _SUMMED.stamp)
    query = (
        select(_SUMMED.day)
        .select_from(USAGE_SUMMED_DAYS.outerjoin(USAGE_PAIRED_DAYS, looked_at))
        .where(_SUMMED.pool_id == pool_id, _SUMMED.day >= oldest // _DAY_MS)
        .group_by(_SUMMED.day)
        .having(func.count(_MARK.pair) < len(PAIRS))
    )
    return list(transaction.execute(query.order_by(_SUMMED.day.desc())).scalars())


def sum_pair(transaction: Transaction, pool_id: int, day: int, pair: DimensionPair) -> None:
    """Sum up the events of a summed day by the names of a pair, in place of the sums before."""
    stamp = transaction.execute(select(_SUMMED.stamp).where(_SUMMED.pool_id == pool_id, _SUMMED.day == day)).scalar()
    of_day = (_MARK.pool_id == pool_id, _MARK.day == day)
    marks = {row.pair: row for row in transaction.execute(select(USAGE_PAIRED_DAYS).where(*of_day))}
    before = marks.get(pair.number)
    if stamp is None or (before is not None and before.stamp == stamp):
        return
    if before is not None:
        transaction.execute(delete(USAGE_PAIRED_DAYS).where(*of_day, _MARK.pair == pair.number))
        transaction.execute(delete(USAGE_DAY_PAIRS).where(*_of(pool_id, day, pair)))
    there = sum(mark.rows or 0 for mark in marks.values() if mark.stamp == stamp)
    values = {"pool_id": pool_id, "pair": pair.number, "day": day, "stamp": stamp}
    rows = _stored_rows(transaction, pool_id, day, pair, there)
    transaction.execute(insert(USAGE_PAIRED_DAYS).values(**values, rows=rows))


def _stored_rows(transaction: Transaction, pool_id: int, day: int, pair: DimensionPair, there: int) -> int | None:
    """Store the sums beside those that are there, and return their number; None where events are to be read."""
    of_day = (_EVENT.pool_id == pool_id, _EVENT.at >= day * _DAY_MS, _EVENT.at < (day + 1) * _DAY_MS)
    events = transaction.execute(select(func.count()).select_from(USAGE_EVENTS).where(*of_day)).scalar_one()
    counted = select(USAGE_DAYS.c.requests).where(
        USAGE_DAYS.c.pool_id == pool_id,
        USAGE_DAYS.c.dimension == NameKind.TOTAL.value,
        USAGE_DAYS.c.day == day,
    )
    if events != (transaction.execute(counted).scalar() or 0):
        return None
    rows = sum_events(transaction, USAGE_DAY_PAIRS, {"pool_id": pool_id, "pair": pair.number, "day": day}, pair, of_day)
    if there + rows > max(FEWEST_ROWS, events // _EVENTS_A_ROW):
        transaction.execute(delete(USAGE_DAY_PAIRS).where(*_of(pool_id, day, pair)))
        return None
    return rows


def _of(pool_id: int, day: int, pair: DimensionPair) -> tuple[Any, ...]:
    return _ROW.pool_id == pool_id, _ROW.pair == pair.number, _ROW.day == day
