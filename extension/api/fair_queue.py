"""Queue of reads that wait for a token, fair between their callers."""

import asyncio
from collections import deque


class FairQueue:
    """Reads that wait for a token; the callers take turns."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._callers: dict[str, deque[tuple[float, asyncio.Future[bool]]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def is_full(self, caller: str) -> bool:
        """Return whether too many reads wait for one more of this caller."""
        return self._count >= self._most or len(self._callers.get(caller, ())) >= self._most_of_one

    def add(self, caller: str, now: float) -> asyncio.Future[bool] | None:
        """Enter a read; None when too many wait."""
        if self.is_full(caller):
            return None
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._callers.setdefault(caller, deque()).append((now, turn))
        self._count += 1
        return turn

    def pop(self) -> asyncio.Future[bool]:
        """Remove the oldest read of the caller whose turn it is."""
        caller = next(iter(self._callers))
        waiting = self._callers.pop(caller)
        _, turn = waiting.popleft()
        self._count -= 1
        if waiting:
            self._callers[caller] = waiting
        return turn

    def drop(self, before: float) -> None:
        """Remove reads whose callers have gone, and refuse those that have waited since an earlier time."""
        for caller, waiting in tuple(self._callers.items()):
            for since, turn in waiting:
                if since <= before and not turn.done():
                    turn.set_result(False)
            left = deque(each for each in waiting if not each[1].done())
            self._count -= len(waiting) - len(left)
            self._callers[caller] = left
            if not left:
                del self._callers[caller]
