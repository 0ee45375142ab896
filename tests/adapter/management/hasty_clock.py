"""Clock of tests in which a wait takes no time."""

import asyncio

from adapter.clock import FakeClock


class HastyClock(FakeClock):
    """Clock on which a wait moves the time on and is over at once."""

    async def sleep(self, seconds: float) -> None:
        await self.advance(max(0.0, seconds))
        await asyncio.sleep(0)
