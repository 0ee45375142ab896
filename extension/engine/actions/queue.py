"""Queue of a run's actions: one worker that takes all waiting requests as one batch.

A batch costs about the same for one change as for hundreds: in a pool of ten thousand keys the whole configuration is
read, written and read back. So after each the queue rests `REST` times as long as it took, and before the first as long
as for one of the expected length, which would otherwise be spent on a single change: a run that acts then takes about a
tenth longer than one that does not.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Self

from adapter.clock import Clock
from extension.engine.actions.requests import ActionRequest
from extension.engine.shielded_tasks import first_of

REST: Final = 9
"""Rest after a batch, as a multiple of the time it took; and before the first, of the time it is expected to take."""

_READINGS: Final = 3
"""Expected time of the first batch, in readings of the pool: two, and about as much again for the change itself."""

CarryOut = Callable[[Sequence[ActionRequest]], Awaitable[object]]
"""Function that carries out one batch; an exception ends the queue."""


class ActionQueue:
    """A serial queue, as a context manager; no account passes through it twice.

    Leaving it discards requests that have not been started; a batch in progress goes on. After a failed batch nothing
    more is started, and `put` and `drain` raise the failure. After `drain` is called the worker no longer rests.
    """

    def __init__(self, carry_out: CarryOut, clock: Clock, *, reading_seconds: float = 0.0) -> None:
        self._carry_out = carry_out
        self._rest_first = REST * _READINGS * reading_seconds
        self._clock = clock
        self._hurry = asyncio.Event()
        self._waiting: list[ActionRequest] = []
        self._seen: set[int] = set()
        self._come = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._going = asyncio.Event()
        self._going.set()
        self._failure: Exception | None = None

    async def __aenter__(self) -> Self:
        self._worker = asyncio.create_task(self._work())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._worker.cancel()
        await asyncio.wait({self._worker})

    def put(self, orders: Iterable[ActionRequest]) -> None:
        """Queue requests; a further request for the same account is dropped.

        Raises `Exception`: the failure that ended the queue.
        """
        if self._failure is not None:
            raise self._failure
        for order in orders:
            if order.account_id not in self._seen:
                self._seen.add(order.account_id)
                self._waiting.append(order)
        if self._waiting:
            self._idle.clear()
            self._come.set()

    def pause(self) -> None:
        """Start no batch until `resume_work`."""
        self._going.clear()

    def resume_work(self) -> None:
        """Start batches again."""
        self._going.set()

    async def drain(self) -> None:
        """Wait until everything that was put has been carried out. Raises the failure that ended the queue."""
        self._hurry.set()
        await self._idle.wait()
        if self._failure is not None:
            raise self._failure

    async def _work(self) -> None:
        await self._come.wait()
        await self._rest(self._rest_first)
        while self._failure is None:
            await self._come.wait()
            await self._going.wait()
            self._come.clear()
            batch, self._waiting = self._waiting, []
            began = self._clock.monotonic()
            try:
                await self._carry_out(batch)
            except Exception as error:  # noqa: BLE001 - it belongs to whoever puts or drains
                self._failure = error
                self._waiting.clear()
            if not self._waiting:
                self._idle.set()
            await self._rest(REST * (self._clock.monotonic() - began))

    async def _rest(self, seconds: float) -> None:
        """Wait that long, or until `drain` is called."""
        if seconds <= 0 or self._failure is not None or self._hurry.is_set():
            return
        await first_of(asyncio.ensure_future(self._clock.sleep(seconds)), self._hurry)
