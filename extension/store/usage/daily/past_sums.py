"""Sums of past days that were read before, kept in memory for as long as none of the days changes.

Theory of operation: a day that is summed up has a stamp, which no other summing up of it repeats. A write to any of its
hours deletes the stamp in the same transaction, whichever process writes. Rows that were read from some days are
therefore right as long as every one of these days has the stamp it had then, as seen by the reader's own transaction.

They are kept as tuples of numbers, which the collector of garbage never looks at: it would stop a reader for tens of
milliseconds to look through as many row objects.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any, Final

from sqlalchemy import Result, Row
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData

MOST_ROWS: Final = 60_000
"""Rows that are kept, those used last: about 30 MB."""
_ENTRY: Final = 1
"""Rows that a question counts for by itself, so that questions without an answer do not pile up."""
Stamps = tuple[int, ...]


class _Kept:
    """Rows in as few objects as possible."""

    def __init__(self, stamps: Stamps, rows: Sequence[Row[Any]]) -> None:
        self.stamps: Final = stamps
        self._fields: Final = rows[0]._fields if rows else ()
        self._values: Final = [tuple(row) for row in rows]

    def __len__(self) -> int:
        return len(self._values)

    def rows(self) -> Sequence[Row[Any]]:
        found: Result[Any] = IteratorResult(SimpleResultMetaData(self._fields), iter(self._values))
        return found.all()


class PastSums:
    """Rows by the question that they answer. Readers of several threads share it."""

    def __init__(self, most_rows: int = MOST_ROWS) -> None:
        self._most = most_rows
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._count = 0

    def rows(
        self, question: Hashable, stamps: Stamps | None, read: Callable[[], Sequence[Row[Any]]]
    ) -> Sequence[Row[Any]]:
        """Return the rows that answer a question about days of these stamps; without stamps, read them every time."""
        if stamps is None:
            return read()
        with self._lock:
            found = self._kept.get(question)
            if found is not None and found.stamps == stamps:
                self._kept.move_to_end(question)
                return found.rows()
        rows = read()
        with self._lock:
            self._forget(question)
            self._kept[question] = _Kept(stamps, rows)
            self._count += _ENTRY + len(rows)
            while self._count > self._most and len(self._kept) > 1:
                self._forget(next(iter(self._kept)))
        return rows

    def _forget(self, question: Hashable) -> None:
        if question in self._kept:
            self._count -= _ENTRY + len(self._kept.pop(question))
