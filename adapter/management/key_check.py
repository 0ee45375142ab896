"""Check that the gateway still accepts the key we hold, so that a key changed there does not live on here.

Theory of operation: clients are judged by the key we hold, without asking the gateway, and many answers come from this
service alone. So a served request proves the key for half a minute only. Then the next client that relies on it waits
for one cheap request. A refusal (401) is final, and nothing is sent afterwards: a stock gateway bans an address after
five of them (v7.2.140), and this is one. Everything else says nothing about the key and leaves it as it was; the next
request of this kind is sent half a minute later.
"""

import asyncio
from typing import Final

from adapter.clock import Clock
from adapter.management.client.guarded_client import PROOF_SECONDS, GuardedClient

WAIT_SECONDS: Final = 2.0
"""Longest time for which a client waits for the gateway's answer about the key."""


class KeyCheck:
    """Asks the gateway about the key when its proof is old: one request at a time, however many clients wait."""

    def __init__(self, client: GuardedClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._asking: asyncio.Task[None] | None = None
        self._began: float | None = None

    async def counts(self) -> bool:
        """Return whether the key counts; it does until the gateway refuses it."""
        proof = self._client.proof
        if not proof.refused and not proof.is_recent:
            await self._ask()
        return not proof.refused

    async def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _ask(self) -> None:
        now = self._clock.monotonic()
        if self._began is None or now - self._began >= PROOF_SECONDS:
            self._began = now
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self._client.look())
        seconds_left = self._began + WAIT_SECONDS - now
        if self._asking is None or self._asking.done() or seconds_left <= 0:
            return
        late = asyncio.ensure_future(self._clock.sleep(seconds_left))
        try:
            await asyncio.wait({self._asking, late}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            late.cancel()
