"""Outages: shared waiting until an unreachable gateway answers again."""

import asyncio
from random import Random
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port import Gateway, GatewayError
from adapter.port.errors import TimedOut, Unavailable

_LOG = structlog.get_logger("poolkeeper.outage")

PATIENCE_SECONDS: Final = 600.0
"""Longest absence of a gateway in a run; the run fails after it and can be resumed."""
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0


def backoff(attempt: int, random: Random, *, first: float = _FIRST_PAUSE, longest: float = _LONGEST_PAUSE) -> float:
    """Return the seconds to wait before attempt 1, 2, …: doubled each time, and up to half of it left to chance."""
    whole: float = min(longest, first * 2 ** (attempt - 1))
    return whole * (0.5 + random.random() / 2)


class Outage:
    """Shared wait for one gateway; only one of the waiting tasks polls it."""

    def __init__(self, gateway: Gateway, clock: Clock, random: Random) -> None:
        self._gateway = gateway
        self._clock = clock
        self._random = random
        self._turn = asyncio.Lock()
        self._ended = 0

    @staticmethod
    def is_outage(error: GatewayError) -> bool:
        """Return whether an error means that the gateway is away for now."""
        return isinstance(error, Unavailable | TimedOut)

    async def wait_until_over(self, error: GatewayError) -> None:
        """Return when the gateway answers again; at least one pause is made.

        Raises:
            GatewayError: the error given, when it is no outage, or lasts longer than our patience.
        """
        if not self.is_outage(error):
            raise error
        before = self._ended
        async with self._turn:
            if self._ended != before:
                return  # another one has seen it answer while we waited for our turn
            await self._ask(error)
            self._ended += 1

    async def _ask(self, error: GatewayError) -> None:
        _LOG.warning("gateway-away", error=error.text)
        until = self._clock.monotonic() + PATIENCE_SECONDS
        attempt = 0
        while True:
            attempt += 1
            await self._clock.sleep(self._pause(attempt, error))
            try:
                await self._gateway.describe()
            except GatewayError as again:
                if not self.is_outage(again) or self._clock.monotonic() >= until:
                    raise again from None
                error = again
            else:
                _LOG.info("gateway-back")
                return

    def _pause(self, attempt: int, error: GatewayError) -> float:
        named = error.retry_after if isinstance(error, Unavailable) else None
        return max(backoff(attempt, self._random), min(named or 0.0, _LONGEST_PAUSE))
