"""Availability of the plugin in its gateway: the stock one says nothing to a plugin that is disabled.

A page of a disabled plugin is 404 while the gateway answers otherwise. Three such answers pause the engine, one page
found resumes it. Each look is a line in the gateway's log, so an idle plugin looks every two minutes, quickly only
while it decides, and a paused one every minute. A gateway
that enables it sends its settings, which resumes it (v7.2.140: 0.2 s after). Should one send none because they are
the same, its first request has the plugin look at once.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

import aiohttp

from adapter.clock import Clock
from adapter.contract.expectations import HEALTH
from extension.engine.shielded_tasks import first_of
from extension.plugin.leased_service import LeasedService

SECONDS: Final = 120.0
"""Time between two looks."""
DECIDING_SECONDS: Final = 8.0
"""Time between two looks after a miss."""
LONGEST_SECONDS: Final = 60.0
"""Longest time between two looks of a paused plugin."""
MISSES: Final = 3
"""So many misses in a row mean that the plugin is disabled."""
_FOUND: Final = 200
_MISSING: Final = 404
_ANSWER_SECONDS: Final = 2.0
REASON: Final = "the gateway no longer serves this plugin"


@dataclass(slots=True)
class Availability:
    """Looks at one open file of the plugin through the gateway, without a key."""

    gateway: str
    path: str
    service: LeasedService
    clock: Clock
    _misses: int = 0
    _seconds: float = SECONDS

    async def run(self) -> None:
        """Look until canceled."""
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_ANSWER_SECONDS)) as session:
            while True:
                await self._wait()
                await self.look(session)

    async def look(self, session: aiohttp.ClientSession) -> None:
        """Ask once, and judge the answers."""
        status = await _status(session, f"{self.gateway}{self.path}")
        self.judge(status, await _status(session, f"{self.gateway}{HEALTH}") if status == _MISSING else 0)

    def judge(self, status: int, health: int) -> None:
        """Judge the answers of one look, the second of which counts beside a miss; an unanswered look says nothing."""
        if status == _MISSING and health == _FOUND:
            self._misses += 1
            self._seconds = DECIDING_SECONDS if self._misses <= MISSES else self._seconds
        elif status == _FOUND:
            self._misses, self._seconds = 0, SECONDS
            self.service.resume()
        if self._misses >= MISSES:
            self.service.pause(REASON)
        if self._misses > MISSES:
            self._seconds = min(self._seconds * 2, LONGEST_SECONDS)

    async def _wait(self) -> None:
        """Wait for the next look; no longer than for a request, while the service is paused."""
        self.service.request_heard.clear()
        await first_of(asyncio.ensure_future(self.clock.sleep(self._seconds)), self.service.request_heard)


async def _status(session: aiohttp.ClientSession, address: str) -> int:
    try:
        async with session.get(address, allow_redirects=False) as answer:
            return answer.status
    except (TimeoutError, aiohttp.ClientError, OSError):
        return 0
