"""Delivery of records that can be popped once only, so that none gets lost on the way."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from adapter.port import UsageBatch


class QueueDrain:
    """Pops usage records, one pop at a time.

    A pop whose caller was cancelled goes on; the next caller gets its records, never more than its own limit.
    """

    def __init__(self, pop: Callable[[int], Coroutine[Any, Any, UsageBatch]]) -> None:
        self._pop = pop
        self._turn = asyncio.Lock()
        self._pending: asyncio.Task[UsageBatch] | None = None
        self._rest: UsageBatch | None = None

    async def take(self, limit: int) -> UsageBatch:
        """Return at most `limit` (> 0) records; see `Usage.pop_usage`.

        Raises:
            GatewayError: the pop failed; the next call pops anew.
        """
        if limit < 1:
            raise ValueError("A pop takes at least one record.")
        async with self._turn:
            batch = self._rest or await self._popped(limit)
            rest = batch.records[limit:]
            self._rest = replace(batch, records=rest, gap=False, lost=None) if rest else None
            return replace(batch, records=batch.records[:limit])

    async def _popped(self, limit: int) -> UsageBatch:
        if self._pending is None or self._pending.cancelled():
            self._pending = asyncio.create_task(self._pop(limit))
        try:
            batch = await asyncio.shield(self._pending)
        except Exception:
            self._pending = None
            raise
        self._pending = None
        return batch
