"""Counters of requests by credential, since the process started."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

BUCKETS = 20
BUCKET_MINUTES = 10


@dataclass(frozen=True, slots=True)
class Bucket:
    """Ten minutes of a credential; ``time`` is ``HH:MM-HH:MM`` on the server's clock."""

    time: str
    success: int
    failed: int


@dataclass(slots=True)
class _Counts:
    success: int = 0
    failed: int = 0
    recent: dict[datetime, list[int]] = field(default_factory=dict)


class Activity:
    """Counters by credential id; they survive a reload. ``now`` is the server's local clock."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._counts: dict[str, _Counts] = {}
        self._empty: dict[datetime, Bucket] = {}
        self._idle: tuple[Bucket, ...] = ()

    def record(self, credential_id: str, *, success: bool) -> None:
        counts = self._counts.setdefault(credential_id, _Counts())
        if success:
            counts.success += 1
        else:
            counts.failed += 1
        current = self._current()
        oldest = current - timedelta(minutes=BUCKET_MINUTES * (BUCKETS - 1))
        counts.recent = {start: pair for start, pair in counts.recent.items() if start >= oldest}
        counts.recent.setdefault(current, [0, 0])[0 if success else 1] += 1

    def totals(self, credential_id: str) -> tuple[int, int]:
        counts = self._counts.get(credential_id)
        return (counts.success, counts.failed) if counts else (0, 0)

    def recent(self, credential_id: str) -> tuple[Bucket, ...]:
        empty = self._empty_at(self._current())
        counts = self._counts.get(credential_id)
        if counts is None:
            return self._idle
        return tuple(
            replace(bucket, success=pair[0], failed=pair[1]) if (pair := counts.recent.get(start)) else bucket
            for start, bucket in empty.items()
        )

    def retain(self, credential_ids: set[str]) -> None:
        """Drop credentials outside the given set."""
        self._counts = {name: counts for name, counts in self._counts.items() if name in credential_ids}

    def _empty_at(self, current: datetime) -> dict[datetime, Bucket]:
        """Return the last twenty buckets without requests, made once for all credentials."""
        if next(reversed(self._empty), None) != current:
            step = timedelta(minutes=BUCKET_MINUTES)
            starts = [current - step * number for number in reversed(range(BUCKETS))]
            self._empty = {start: Bucket(f"{start:%H:%M}-{start + step:%H:%M}", 0, 0) for start in starts}
            self._idle = tuple(self._empty.values())
        return self._empty

    def _current(self) -> datetime:
        now = self._now()
        return now.replace(minute=now.minute - now.minute % BUCKET_MINUTES, second=0, microsecond=0)
