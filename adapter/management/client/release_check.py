"""Check of the gateway's release, made once, with the cost of a call."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from adapter.clock import Clock
from adapter.management.client.release import Release
from adapter.port import errors

_MEASUREMENTS: Final = 3


class ReleaseCheck:
    """Asks until it is answered once. Callers that wait for one another get one failure together, not each its own."""

    def __init__(self, clock: Clock, ask: Callable[[], Awaitable[tuple[Release, float]]]) -> None:
        self._clock = clock
        self._ask = ask
        self._asking = asyncio.Lock()
        self._release: Release | None = None
        self._failed: tuple[float, errors.GatewayError] | None = None
        self.cost = 0.0
        """Seconds the gateway takes for a call that does nothing; 0 until it has answered."""

    async def release(self, recognized: Callable[[], None]) -> Release:
        """Return the gateway's release; `recognized` is called when it is known for the first time.

        Raises:
            GatewayError: it could not be asked, or no gateway of this kind answers.
        """
        began = self._clock.monotonic()
        async with self._asking:
            if self._release is not None:
                return self._release
            if self._failed is not None and self._failed[0] > began:
                raise self._failed[1]
            try:
                found, _ = await self._ask()
                self.cost = min([(await self._ask())[1] for _ in range(_MEASUREMENTS)])
            except errors.GatewayError as error:
                self._failed = self._clock.monotonic(), error
                raise
            recognized()
            self._release = found
            return found
