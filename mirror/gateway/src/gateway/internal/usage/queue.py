"""The queue of usage records: whoever fetches a record takes it out."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import TypeAlias

import structlog

Record: TypeAlias = Mapping[str, object]

MOST_RECORDS = 100_000
_log = structlog.get_logger("gateway")


class UsageQueue:
    """Holds records until they are fetched or too old; oldest first. Records nothing until ``configure`` says so.

    Beyond ``most`` records the oldest are given up, and the log says so once: nobody fetches them.

    Args:
        monotonic: Seconds that only grow.
        most: Most records held.

    Attributes:
        recording: Whether records are taken in. What waits already can be fetched in any case.
        lost: How many records nobody fetched in time, since the process started.
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
        """Take over what a configuration says.

        Args:
            recording: Whether the statistics are on; turning them off leaves what waits.
            managed: Whether the management interface exists; without it nobody could fetch, so nothing is kept.
            retention: How many seconds a record waits.
        """
        self.recording = recording and managed
        self._retention = retention
        if not managed:
            self.lost += len(self._records)
            self._records.clear()

    def add(self, record: Record) -> None:
        """Take in a record; while nothing is recorded it is dropped."""
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
        """Take out up to ``count`` records."""
        self._drop_old()
        return tuple(self._records.popleft()[1] for _ in range(min(count, len(self._records))))

    def _drop_old(self) -> None:
        oldest = self._monotonic() - self._retention
        while self._records and self._records[0][0] < oldest:
            self._records.popleft()
            self.lost += 1
