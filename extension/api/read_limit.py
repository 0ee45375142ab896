"""Limit of reads, so that many readers starve neither a run nor inference, and no reader starves another.

Theory of operation. Reads take tokens out of one bucket that is refilled at a fixed rate: one at the start and, at the
end, more by the time it took, so that a read of a large pool counts for many small ones. A read that finds the bucket
empty waits for a moment; the callers that wait take turns, so that hundreds of readers with one key leave the page of
another caller its share. When too many wait, or one waits too long, the answer is 429 with `Retry-After`. Commands and
event streams are not limited.
"""

import asyncio
from collections import deque
from math import ceil
from typing import Final

import structlog
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.clock import Clock
from extension.api.auth.authenticator import COOKIE
from extension.api.problems import Problem

BURST_SECONDS: Final = 2.0
"""Seconds of refill that the bucket holds."""
WAIT_SECONDS: Final = 2.0
"""Longest wait of a read."""
MOST_WAITING: Final = 40
MOST_WAITING_OF_ONE: Final = 20
BUSY_SHARE: Final = 0.25
"""Share of the time that reads may take: at 40 reads a second one of 25 ms takes four tokens."""
_ONE: Final = 1 - 1e-6
"""A token, but for the error of adding fractions, which would ask for waits that no clock can measure."""
_REPORT_SECONDS: Final = 60.0
_READS: Final = frozenset({"GET", "HEAD"})
_STREAM: Final = "text/event-stream"
_log = structlog.get_logger("poolkeeper.api")


class TokenBucket:
    """Tokens that grow with time up to a limit; a debt delays the next read."""

    def __init__(self, clock: Clock, rate: float) -> None:
        self._clock = clock
        self._rate = rate
        self._most = max(1.0, rate * BURST_SECONDS)
        self._tokens = self._most
        self._at = clock.monotonic()

    def take(self) -> bool:
        """Take a token; false when there is none."""
        self._refill()
        if self._tokens < _ONE:
            return False
        self._tokens -= 1
        return True

    def charge(self, seconds: float) -> None:
        """Take the rest of the price of a read that took this time; the debt is limited to one filling."""
        self._refill()
        rest = max(0.0, seconds * self._rate / BUSY_SHARE - 1)
        self._tokens = max(-self._most, self._tokens - rest)

    @property
    def delay(self) -> float:
        """Seconds until the next token."""
        self._refill()
        return max(0.0, (1 - self._tokens) / self._rate)

    def _refill(self) -> None:
        now = self._clock.monotonic()
        self._tokens = min(self._most, self._tokens + (now - self._at) * self._rate)
        self._at = now


class FairQueue:
    """Reads that wait for a token; the callers take turns."""

    def __init__(self) -> None:
        self._callers: dict[str, deque[tuple[float, asyncio.Future[bool]]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def is_full(self, caller: str) -> bool:
        """Return whether too many reads wait for one more of this caller."""
        return self._count >= MOST_WAITING or len(self._callers.get(caller, ())) >= MOST_WAITING_OF_ONE

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


class ReadLimit:
    """Passes requests on to `inside` (ASGI), reads at most at `rate` a second; `stream_path` is that of the events."""

    def __init__(self, inside: ASGIApp, clock: Clock, rate: float, stream_path: str) -> None:
        self._inside = inside
        self._stream_path = stream_path
        self._clock = clock
        self._rate = rate
        self._bucket = TokenBucket(clock, rate)
        self._queue = FairQueue()
        self._serving: asyncio.Task[None] | None = None
        self._refused = 0
        self._reported_at: float | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        if not self._limits(scope):
            await self._inside(scope, receive, send)
            return
        if not await self._admitted(scope):
            await self._refuse(scope, receive, send)
            return
        began = self._clock.monotonic()
        try:
            await self._inside(scope, receive, send)
        finally:
            self._bucket.charge(self._clock.monotonic() - began)

    def before(self, authentication: ASGIApp) -> ASGIApp:
        """Refuse reads before their authentication, which costs more than the refusal, while too many wait."""

        async def refusing(scope: Scope, receive: Receive, send: Send) -> None:
            if self._queue and self._limits(scope) and self._queue.is_full(caller_of(scope)):
                await self._refuse(scope, receive, send)
            else:
                await authentication(scope, receive, send)

        return refusing

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._report()
        await self._refusal().answer()(scope, receive, send)

    def _limits(self, scope: Scope) -> bool:
        if scope["type"] != "http" or scope["method"] not in _READS:
            return False
        streams = scope["path"] == self._stream_path
        return not (streams and _STREAM in HTTPConnection(scope).headers.get("Accept", ""))

    async def _admitted(self, scope: Scope) -> bool:
        if not self._queue and self._bucket.take():
            return True
        turn = self._queue.add(caller_of(scope), self._clock.monotonic())
        if turn is None:
            return False
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve())
        return await turn

    async def _serve(self) -> None:
        """Give the reads that wait their turn."""
        while True:
            self._queue.drop(self._clock.monotonic() - WAIT_SECONDS)
            if not self._queue:
                return
            if self._bucket.take():
                self._queue.pop().set_result(True)
            else:
                await self._clock.sleep(min(self._bucket.delay, WAIT_SECONDS / 4))

    def _refusal(self) -> Problem:
        seconds = max(1, ceil(self._bucket.delay + len(self._queue) / self._rate))
        return Problem(
            429,
            "The service is answering as many reads as it may.",
            "too_many_reads",
            "Wait as long as Retry-After says, and follow the event stream instead of reading again and again.",
            {"Retry-After": str(seconds)},
        )

    def _report(self) -> None:
        self._refused += 1
        now = self._clock.monotonic()
        if self._reported_at is None or now - self._reported_at >= _REPORT_SECONDS:
            _log.warning("reads refused", count=self._refused)
            self._refused, self._reported_at = 0, now


def caller_of(scope: Scope) -> str:
    """Name a caller: the session of a page, or the address of a program."""
    connection = HTTPConnection(scope)
    session = connection.cookies.get(COOKIE)
    return session or (connection.client.host if connection.client else "")
