"""Heartbeat of a subscription: up to when the gateway is known to have sent every record.

Theory of operation: a connection that is gone without a word looks like one without records, and the operating system
notices it half a minute later. So the gateway is asked with PING, which every release with a subscription answers. A
stock gateway (v7.1.47 to v7.2.140) chooses by chance between a record and an answer that are both ready, so an answer
may overtake records for a moment; the time of the question is therefore taken back by a second.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from adapter.clock import Clock

BEAT_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 10.0
"""Seconds without an answer after which a subscription has ended."""
_OVERTAKEN_MS: Final = 1_000


class Heartbeat:
    """Asks at intervals; `known` is the time up to which every record was sent, integer milliseconds UTC."""

    def __init__(self, clock: Clock, ask: Callable[[], None]) -> None:
        self._clock = clock
        self._ask = ask
        self._asked = self.known = clock.now_ms() - _OVERTAKEN_MS
        self._answered = asyncio.Event()

    def answered(self) -> None:
        """Note an answer."""
        self.known = self._asked - _OVERTAKEN_MS
        self._answered.set()

    async def beat(self, busy: Callable[[], bool]) -> None:
        """Ask until no answer comes; while `busy`, answers are not read and not missed."""
        while True:
            await self._clock.sleep(BEAT_SECONDS)
            self._answered.clear()
            self._asked = self._clock.now_ms()
            self._ask()
            while not await self._in_time():
                if not busy():
                    return

    async def _in_time(self) -> bool:
        """Wait for the answer, and return whether it came."""
        waiting = {
            asyncio.ensure_future(self._answered.wait()),
            asyncio.ensure_future(self._clock.sleep(SILENT_SECONDS)),
        }
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting)
        return self._answered.is_set()
