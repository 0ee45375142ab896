"""Sums of past days that were read before, kept in memory for as long as none of the days changes.

Theory of operation: a day that is summed up has a stamp, which no other summing up of it repeats. A write to any of its
hours deletes the stamp in the same transaction, whichever process writes. Rows that were read from some days are
therefore right as long as every one of these days has the stamp it had then, as seen by the reader's own transaction.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any, Final

from sqlalchemy import Row

MOST_ROWS: Final = 60_000
"""Rows that are kept, those used last: about 30 MB."""
_ENTRY: Final = 1
"""Rows that a question counts for by itself, so that questions without an answer do not pile up."""
Stamps = tuple[int, ...]


class PastSums:
    """Rows by the question that they answer. Readers of several threads share it."""

    def __init__(self, most_rows: int = MOST_ROWS) -> None:
        self._most = most_rows
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[Stamps, Sequence[Row[Any]]]] = OrderedDict()
        self._count = 0

    def rows(
        self, question: Hashable, stamps: Stamps | None, read: Callable[[], Sequence[Row[Any]]]
    ) -> Sequence[Row[Any]]:
        """Return the rows that answer a question about days of these stamps; without stamps, read them every time."""
        if stamps is None:
            return read()
        with self._lock:
            found = self._kept.get(question)
            if found is not None and found[0] == stamps:
                self._kept.move_to_end(question)
                return found[1]
        rows = read()
        with self._lock:
            self._forget(question)
            self._kept[question] = stamps, rows
            self._count += _ENTRY + len(rows)
            while self._count > self._most and len(self._kept) > 1:
                self._forget(next(iter(self._kept)))
        return rows

    def _forget(self, question: Hashable) -> None:
        if question in self._kept:
            _, rows = self._kept.pop(question)
            self._count -= _ENTRY + len(rows)
