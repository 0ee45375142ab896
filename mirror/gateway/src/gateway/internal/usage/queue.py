"""Queue of usage records, which are removed when fetched."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import TypeAlias

import structlog

Record: TypeAlias = Mapping[str, object]

MOST_RECORDS = 100_000
_log = structlog.get_logger("gateway")


class UsageQueue:
    """Holds records until they are fetched or expire, oldest first, and none before ``configure`` enables it.

    Beyond ``most`` records the oldest are dropped, which is logged once: nothing fetches them.

    Attributes:
        recording: New records are accepted. Waiting ones can be fetched in any case.
        lost: Number of records not fetched in time, since the process started.
    """

    def __init__(self, monotonic: Callable[[], float], most: int = MOST_RECORDS) -> None:
        self._monotonic = monotonic
        self._most = most
        self._records: deque[tuple[float, Record]] = deque()
        self._retention = 0.0
        self._overflowed = False
        self.recording = False
        self.lost = 0

    def configure(self, *, recording: bool, managed: bool, retention: float) -> None:
        """Apply a configuration.

        Args:
            recording: Usage statistics are enabled; disabling them keeps waiting records.
            managed: The management interface exists; without it records could not be fetched, so none are kept.
            retention: Time a record waits, in seconds.
        """
        self.recording = recording and managed
        self._retention = retention
        if not managed:
            self.lost += len(self._records)
            self._records.clear()

    def add(self, record: Record) -> None:
        """Add a record, unless recording is disabled."""
        if not self.recording:
            return
        self._drop_old()
        self._records.append((self._monotonic(), record))
        if len(self._records) > self._most:
            self._records.popleft()
            self.lost += 1
            if not self._overflowed:
                self._overflowed = True
                _log.warning("nobody fetches the usage records; the oldest are given up", most=self._most)

    def pop(self, count: int) -> tuple[Record, ...]:
        self._drop_old()
        return tuple(self._records.popleft()[1] for _ in range(min(count, len(self._records))))

    def _drop_old(self) -> None:
        oldest = self._monotonic() - self._retention
        while self._records and self._records[0][0] < oldest:
            self._records.popleft()
            self.lost += 1
