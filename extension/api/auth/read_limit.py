"""Limit of reads, so that many readers starve neither a run nor inference.

Theory of operation. A read takes one of a few places and gives it back later: after a rest of four times its own
duration, so that reads take a fifth of the processor, and no sooner than the rate allows. Reads that find no place
wait for a moment; when too many wait, or one waits too long, the answer is 429 with `Retry-After`. Commands and event
streams are not limited. The console has places of its own, so that programs with the management key cannot take them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import structlog
from starlette.requests import HTTPConnection
from starlette.types import Scope

from extension.api.auth.authenticator import ADMITTED_BY_HOST, COOKIE, PAGE_ACTOR, presented_key
from extension.api.problems import Problem

_PAGES: Final = 4
"""Reads of the console to one of programs: it answers most of them without a body, or with one that is made already."""
_BUSY_PARTS: Final = 4
"""Rest after a read, as a multiple of its duration when all places are taken."""
_LONGEST_REST_SECONDS: Final = 2.0
_RETRY_SECONDS: Final = "2"
_REPORT_SECONDS: Final = 60.0
_READS: Final = frozenset({"GET", "HEAD"})
_log = structlog.get_logger("poolkeeper.api")


class ReadPlaces:
    """Places of the reads of one kind of caller, as many as come in `burst_seconds` at the rate.

    `most_waiting` reads wait for one, each for `wait_seconds` at most.
    """

    def __init__(self, rate: int, burst_seconds: float, most_waiting: int, wait_seconds: float) -> None:
        self._places = max(1, round(rate * burst_seconds))
        self._held_seconds = self._places / rate
        self._most_waiting = most_waiting
        self._wait_seconds = wait_seconds
        self._free = asyncio.Semaphore(self._places)
        self._waiting = self._under_way = 0

    @property
    def is_full(self) -> bool:
        """Return whether one more read would be refused at once."""
        return self._waiting >= self._most_waiting

    @asynccontextmanager
    async def place(self) -> AsyncIterator[bool]:
        """Hold a place for the block, and let it rest afterwards; false, and no place, when the read is refused."""
        if self.is_full or not await self._acquired():
            yield False
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        self._under_way += 1
        beside = self._under_way
        try:
            yield True
        finally:
            duration = loop.time() - began
            rest = duration * _BUSY_PARTS * self._places / max(beside, self._under_way)
            self._under_way -= 1
            loop.call_later(max(self._held_seconds - duration, min(rest, _LONGEST_REST_SECONDS)), self._free.release)

    async def _acquired(self) -> bool:
        self._waiting += 1
        try:
            async with asyncio.timeout(self._wait_seconds):
                return await self._free.acquire()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1


class ReadLimit:
    """Places for reads of programs and of the console, each at most at `rate` a second; `stream_path` is exempt."""

    def __init__(self, rate: int, stream_path: str) -> None:
        self._stream_path = stream_path
        self._programs = ReadPlaces(rate, 0.15, 40, 2.0)
        self._pages = ReadPlaces(rate * _PAGES, 0.125, 400, 4.0)
        self._refused = 0
        self._reported_at: float | None = None

    def require_room(self, scope: Scope) -> None:
        """Refuse a read before its authentication, which costs more than the refusal.

        Raises:
            Problem: too many reads wait.
        """
        places = self._pages if _claims_page(scope) else self._programs
        if self._limits(scope) and places.is_full:
            raise self._refusal()

    @asynccontextmanager
    async def place(self, scope: Scope, actor: str) -> AsyncIterator[None]:
        """Hold a place for the block if the request of an actor is a read.

        Raises:
            Problem: too many reads wait, or this one has waited too long.
        """
        if not self._limits(scope):
            yield
            return
        async with (self._pages if actor == PAGE_ACTOR else self._programs).place() as admitted:
            if not admitted:
                raise self._refusal()
            yield

    def _limits(self, scope: Scope) -> bool:
        accept = HTTPConnection(scope).headers.get("Accept", "")
        return scope["method"] in _READS and not (scope["path"] == self._stream_path and "text/event-stream" in accept)

    def _refusal(self) -> Problem:
        now = asyncio.get_running_loop().time()
        self._refused += 1
        if self._reported_at is None or now - self._reported_at >= _REPORT_SECONDS:
            _log.warning("reads refused", count=self._refused)
            self._refused, self._reported_at = 0, now
        return Problem(
            429,
            "The service is answering as many reads as it may.",
            "too_many_reads",
            "Wait as long as Retry-After says, and follow the event stream instead of reading again and again.",
            {"Retry-After": _RETRY_SECONDS},
        )


def _claims_page(scope: Scope) -> bool:
    """Return whether a request that is not authenticated yet looks like one of the console."""
    connection = HTTPConnection(scope)
    if ADMITTED_BY_HOST in scope.get("extensions", {}):
        return "Sec-Fetch-Site" in connection.headers
    return COOKIE in connection.cookies and presented_key(connection) is None
