"""Limit of reads, so that many readers starve neither a run nor inference, and no reader starves another.

Theory of operation. Reads take tokens out of a bucket that is refilled at a fixed rate: one at the start and, at the
end, more by the time it took, so that a read of a large pool counts for many small ones. A read that finds the bucket
empty waits for a moment; the callers that wait take turns, so that hundreds of readers with one key leave another
caller its share. Few are answered at once, because a read pays only when it ends. When too many wait, or one waits too
long, the answer is 429 with `Retry-After`. Commands and event streams are not limited.

What a bucket may owe is paid off before the longest wait is over: one reader alone waits and is never refused,
however slow its reads are on a busy machine.

Sessions of the console have a bucket of their own, which saves up for an operator that hops over the pages; programs
with the management key cannot empty it.
"""

from math import ceil
from typing import Final

import structlog
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from adapter.clock import Clock
from extension.api.auth.authenticator import COOKIE, PAGE_ACTOR, Principal, presented_key
from extension.api.problems import Problem
from extension.api.read_lane import Allowance, ReadLane

MOST_WAITING: Final = 40
MOST_WAITING_OF_ONE: Final = 20
MOST_UNDER_WAY: Final = 6
PROGRAMS: Final = Allowance(2.0, 1.5, 2.0, MOST_WAITING, MOST_WAITING_OF_ONE, MOST_UNDER_WAY, shares_time=False)
"""Limits of the reads with the management key."""
SESSIONS: Final = Allowance(8.0, 2.0, 4.0, 200, 100, 4 * MOST_UNDER_WAY, shares_time=True)
"""Limits of the reads of all sessions: ten pages of about five reads each, in five seconds, and as many again."""
_REPORT_SECONDS: Final = 60.0
_READS: Final = frozenset({"GET", "HEAD"})
_STREAM: Final = "text/event-stream"
_log = structlog.get_logger("poolkeeper.api")


class ReadLimit:
    """Passes requests on to `inside` (ASGI), reads at most at `rate` a second; `stream_path` is that of the events."""

    def __init__(self, inside: ASGIApp, clock: Clock, rate: float, stream_path: str) -> None:
        self._inside = inside
        self._stream_path = stream_path
        self._clock = clock
        self._programs = ReadLane(clock, rate, PROGRAMS)
        self._sessions = ReadLane(clock, rate, SESSIONS)
        self._refused = 0
        self._reported_at: float | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        if not self._limits(scope):
            await self._inside(scope, receive, send)
            return
        lane = self._sessions if is_page(scope) else self._programs
        async with lane.turn(caller_of(scope)) as admitted:
            if admitted:
                await self._inside(scope, receive, send)
            else:
                await self._refuse(lane, scope, receive, send)

    def before(self, authentication: ASGIApp) -> ASGIApp:
        """Refuse reads before their authentication, which costs more than the refusal, while too many wait."""

        async def refusing(scope: Scope, receive: Receive, send: Send) -> None:
            if self._limits(scope):
                lane = self._sessions if claims_session(scope) else self._programs
                if lane.is_full(caller_of(scope)):
                    await self._refuse(lane, scope, receive, send)
                    return
            await authentication(scope, receive, send)

        return refusing

    async def _refuse(self, lane: ReadLane, scope: Scope, receive: Receive, send: Send) -> None:
        self._report()
        await _refusal(lane).answer()(scope, receive, send)

    def _limits(self, scope: Scope) -> bool:
        if scope["type"] != "http" or scope["method"] not in _READS:
            return False
        streams = scope["path"] == self._stream_path
        return not (streams and _STREAM in HTTPConnection(scope).headers.get("Accept", ""))

    def _report(self) -> None:
        self._refused += 1
        now = self._clock.monotonic()
        if self._reported_at is None or now - self._reported_at >= _REPORT_SECONDS:
            _log.warning("reads refused", count=self._refused)
            self._refused, self._reported_at = 0, now


def _refusal(lane: ReadLane) -> Problem:
    return Problem(
        429,
        "The service is answering as many reads as it may.",
        "too_many_reads",
        "Wait as long as Retry-After says, and follow the event stream instead of reading again and again.",
        {"Retry-After": str(max(1, ceil(lane.retry_after)))},
    )


def is_page(scope: Scope) -> bool:
    """Return whether an authenticated caller is the console: by its session, or inside a host of plugins."""
    principal = scope.get("state", {}).get("principal")
    return isinstance(principal, Principal) and principal.actor == PAGE_ACTOR


def claims_session(scope: Scope) -> bool:
    """Return whether a request that is not authenticated yet looks like one of a session."""
    connection = HTTPConnection(scope)
    return COOKIE in connection.cookies and presented_key(connection) is None


def caller_of(scope: Scope) -> str:
    """Name a caller: the session of a page, or the address of a program."""
    connection = HTTPConnection(scope)
    session = connection.cookies.get(COOKIE)
    return session or (connection.client.host if connection.client else "")
