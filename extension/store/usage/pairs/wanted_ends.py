"""Ends of days that charts have asked for, and that the service therefore sums up."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import delete, select

from extension.store.database.database import Transaction
from extension.store.schema.dialects import upsert
from extension.store.schema.usage_day_tables import USAGE_WANTED_ENDS
from extension.store.usage.daily.day_end import DayEnd
from extension.store.usage.daily.dimension_pairs import PAIRS

MOST_WANTED: Final = 8
"""Ends that are kept of a pool, those asked for last: four pairs in a zone whose clocks change."""
_FORGOTTEN_MS: Final = 60 * 86_400_000
_ROW: Final = USAGE_WANTED_ENDS.c
_PAIRS: Final = {pair.number: pair for pair in PAIRS}


def want(transaction: Transaction, pool_id: int, ends: Iterable[DayEnd], now: int) -> None:
    """Note that ends were asked for now."""
    for end in ends:
        statement = upsert(transaction, USAGE_WANTED_ENDS).values(
            pool_id=pool_id, pair=end.pair.number, minutes=end.minutes, wanted_at=now
        )
        keys = [column.name for column in USAGE_WANTED_ENDS.primary_key]
        transaction.execute(statement.on_conflict_do_update(index_elements=keys, set_={"wanted_at": now}))


def wanted(transaction: Transaction, pool_id: int, now: int) -> tuple[list[DayEnd], list[DayEnd]]:
    """Return the ends to be summed up, those asked for last first, and the others, which are to be forgotten."""
    newest_first = (_ROW.wanted_at.desc(), _ROW.pair, _ROW.minutes)
    rows = transaction.execute(select(USAGE_WANTED_ENDS).where(_ROW.pool_id == pool_id).order_by(*newest_first)).all()
    kept = [place < MOST_WANTED and row.wanted_at > now - _FORGOTTEN_MS for place, row in enumerate(rows)]
    ends = [DayEnd(_PAIRS[row.pair], row.minutes) for row in rows]
    return (
        [end for end, is_kept in zip(ends, kept, strict=True) if is_kept],
        [end for end, is_kept in zip(ends, kept, strict=True) if not is_kept],
    )


def forget(transaction: Transaction, pool_id: int, end: DayEnd) -> None:
    """Forget that an end was asked for."""
    transaction.execute(
        delete(USAGE_WANTED_ENDS).where(
            _ROW.pool_id == pool_id, _ROW.pair == end.pair.number, _ROW.minutes == end.minutes
        )
    )
